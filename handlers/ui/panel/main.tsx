import { type ComponentType, render } from "preact";
import { useEffect, useState } from "preact/hooks";
import "./theme.ts";
import { reasonOf } from "./api.ts";
import { listenForKeys } from "./keys.ts";
import { PAGES, type PageProps } from "./pages.ts";
import { Layout } from "./parts/layout.tsx";
import { Page } from "./parts/page.tsx";
import { Empty, Failed, Loading } from "./parts/states.tsx";
import { fits, followLinks, href, usePlace } from "./route.ts";
import { findSession, session, signIn, takeCode } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { useValue } from "./value.ts";

let linkFailed: string | undefined;

function Panel() {
  const who = useValue(session);
  const asking = fits("/consent/{uid}", usePlace().path);
  if (who === undefined)
    return (
      <main class="sign-in late">
        <Loading lines={3} />
      </main>
    );
  if (who === null)
    return (
      <main class="sign-in">
        <Failed error={new Error("the proxy does not answer")} retry={() => void findSession()} />
      </main>
    );
  if (!who.signed_in) return <SignIn failure={linkFailed} />;
  // A client's request stands alone: the person answers it and leaves.
  if (asking) return <Loaded load={() => import("./views/consent.tsx")} params={asking} />;
  return (
    <Layout>
      <Current />
    </Layout>
  );
}

/** The page that matches the current path. */
function Current() {
  const { path } = usePlace();
  for (const page of PAGES)
    for (const pattern of page.paths) {
      const params = fits(pattern, path);
      // A page keeps its state between its own paths, such as the tabs of a server; another item is a new page.
      if (params)
        return <Loaded key={`${page.title} ${Object.values(params)[0] ?? ""}`} load={page.load} params={params} />;
    }
  return (
    <Page title="Not found">
      <Empty icon="search" title="This page does not exist" action={<a href={href("/")}>Go to the overview</a>} />
    </Page>
  );
}

function Loaded({ load, params }: { load: () => Promise<{ default: ComponentType<PageProps> }>; params: PageProps }) {
  const [View, setView] = useState<ComponentType<PageProps>>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    load().then(
      (module) => setView(() => module.default),
      // An updated proxy has different files: a page that requests old ones is reloaded.
      (failure) => setError(new Error(`${reasonOf(failure)}; if the proxy was updated, reload this page`)),
    );
  }, []);
  if (error) return <Failed error={error} retry={() => location.reload()} />;
  return View ? <View {...params} /> : <Loading />;
}

async function start(): Promise<void> {
  const code = takeCode();
  if (code !== undefined)
    await signIn({ code }).catch((error) => {
      linkFailed = reasonOf(error);
      return findSession();
    });
  else await findSession();
}

const root = document.getElementById("panel");
if (root) {
  followLinks(root);
  listenForKeys();
  render(<Panel />, root);
  void start();
}
