import assert from "node:assert/strict";
import { becomes, panelTest } from "#test/kit/browser.ts";

const SECRET = "zyxwvutsrqponmlkjihgfedcbazyxwvutsrqponm";

panelTest(
  "secrets are set without being shown, moved out of the configuration, and removed with a warning",
  {
    connect: false,
    config: { update_check: { enabled: false } },
    servers: [
      { name: "git", command: "x", env: { TOKEN: SECRET } },
      { name: "mail", command: "x", env: { KEY: "${keyring:mail}", HOST: "${env:NO_SUCH_HOST}" } },
    ],
  },
  async ({ app, page, open, accessible, pictures }) => {
    await open("/secrets");
    await page.getByText("No secrets yet").waitFor();
    await page.getByText("New secrets are stored in an encrypted file in the data directory").waitFor();
    await accessible();
    const missing = page.getByRole("list", { name: "References without a value" });
    await missing.getByText("in the environment of the proxy").waitFor();
    await missing.getByRole("button", { name: "Set value" }).click();
    const dialog = page.getByRole("dialog");
    await becomes(() => dialog.getByLabel("Value").getAttribute("type"), "password");
    await dialog.getByLabel("Value").fill(`${SECRET}-of-mail`);
    await accessible();
    await dialog.getByRole("button", { name: "Store secret" }).click();
    await page.getByRole("row").filter({ hasText: "mail" }).waitFor();

    await page.getByRole("button", { name: "Move out of configuration" }).click();
    await dialog.getByText("env.TOKEN").waitFor();
    await dialog.getByText("moves into an encrypted file in the data directory").waitFor();
    await accessible();
    await dialog.getByRole("button", { name: "Move 1 secret" }).click();
    await page.getByRole("row").filter({ hasText: "git-TOKEN" }).getByText("encrypted file").waitFor();
    assert.equal(app.config.server("git")?.env?.TOKEN, "${keyring:git-TOKEN}");
    await pictures("secrets");
    assert.ok(!(await page.content()).includes(SECRET));

    await page.getByRole("button", { name: "Actions for mail" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await dialog.getByText("mail still use this secret").waitFor();
    await becomes(() => dialog.getByRole("button", { name: "Remove" }).isDisabled(), true);
    await dialog.getByRole("textbox").fill("mail");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await missing.getByText("${keyring:mail}").waitFor();
    await page.keyboard.press("n");
    await dialog.getByLabel("Name").fill("not a name");
    await dialog.getByLabel("Value").fill("x");
    await dialog.getByRole("button", { name: "Store secret" }).click();
    await dialog.locator(".error").waitFor();
  },
);
