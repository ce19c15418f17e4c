import assert from "node:assert/strict";
import { becomes, panelTest } from "#test/kit/browser.ts";

const WORLD = { config: { update_check: { enabled: false } } };

panelTest(
  "settings are found, checked as they are typed, and saved; what waits for a restart is said",
  WORLD,
  async (panel) => {
    const { page, open, app, accessible, pictures } = panel;
    await open("/configuration");
    await page.getByRole("button", { name: "Access", exact: true }).click();
    await page.getByRole("heading", { name: "Access" }).waitFor();
    await accessible();
    await pictures("configuration");
    await page.getByRole("button", { name: "Isolation" }).click();
    await page.getByRole("heading", { name: "Isolation" }).waitFor();
    await pictures("configuration-isolation");
    await page.getByRole("searchbox", { name: "Search the settings" }).fill("tls");
    await page.getByLabel("Require a client certificate").waitFor();
    assert.equal(await page.getByText("`").count(), 0, "Markdown is shown as what it means");
    await pictures("configuration-tls");
    await page.getByRole("searchbox", { name: "Search the settings" }).fill("tools_limit");
    await page.getByRole("heading", { name: "Isolation" }).waitFor({ state: "detached" });
    await page.getByLabel("Tools in a search result", { exact: true }).fill("5000");
    await page.getByText("must be a whole number from 1 to 1000").first().waitFor();
    await becomes(() => page.getByRole("button", { name: "Save" }).isDisabled(), true);
    await accessible();
    await page.getByLabel("Tools in a search result", { exact: true }).fill("40");
    await page.getByText("1 change: tools_limit").waitFor();
    await page.getByRole("searchbox", { name: "Search the settings" }).fill("pool_size");
    await page.getByLabel("Scripts at the same time").fill("4");
    await page.getByText("some take effect at the next start").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("1 setting waits for the next start").waitFor();
    assert.equal(app.config.current().tools_limit, 40);
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Search the settings" }).fill("tools_limit");
    await page.getByLabel("Tools in a search result", { exact: true }).fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    assert.equal(app.config.current().tools_limit, 15);
  },
);

panelTest(
  "a member of an object is changed alone, and what is unsaved is not lost without a question",
  WORLD,
  async (panel) => {
    const { page, open, app } = panel;
    await app.config.update((draft) => {
      draft.docker_isolation.network_mode = "none";
    }, "test");
    await open("/configuration?find=docker_isolation");
    await page.getByLabel("Memory limit").fill("1g");
    await page.getByText("1 change: docker_isolation").waitFor();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByText("Discard unsaved changes?").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    const { memory_limit, network_mode } = app.config.current().docker_isolation;
    assert.deepEqual([memory_limit, network_mode], ["1g", "none"]);
  },
);

panelTest(
  "what differs from the defaults comes first, by labels for people; Reset and Save restore a default",
  { config: { update_check: { enabled: false }, tools_limit: 40, docker_isolation: { memory_limit: "1g" } } },
  async ({ page, open, app, accessible, pictures }) => {
    await open("/configuration");
    const changed = page.getByRole("list", { name: "Changed settings" });
    const row = (label: string) => changed.getByRole("listitem").filter({ hasText: label });
    await row("Tools in a search result").getByText("instead of 15").waitFor();
    await row("Isolation of local servers › Memory limit").getByText("1g").waitFor();
    assert.equal(await row("Queue").count(), 0, "what has its default is not listed");
    await accessible();
    await pictures("configuration-changed");
    await row("Memory limit").getByRole("button", { name: "Reset" }).click();
    await row("Memory limit").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
    assert.notEqual(app.config.current().docker_isolation.memory_limit, "1g");
    assert.equal(app.config.current().tools_limit, 40);
    await row("Tools in a search result").getByRole("button", { name: "Change Tools in a search result" }).click();
    await page.getByLabel("Tools in a search result", { exact: true }).waitFor();
  },
);

panelTest("isolation is one switch, and Undo takes it back", WORLD, async ({ page, open, app }) => {
  await open("/configuration?find=docker_isolation");
  await page.getByLabel("Run local servers in isolation").check();
  await page.getByText("Isolation is enabled").waitFor();
  assert.equal(app.config.current().docker_isolation.enabled, true);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator("input[role=switch]:not(:checked)").and(page.getByLabel("Run local servers")).waitFor();
  assert.equal(app.config.current().docker_isolation.enabled, false);
});

panelTest("what somebody else changed meanwhile is not overwritten", WORLD, async ({ page, open, app }) => {
  await open("/configuration?find=tools_limit");
  await page.getByLabel("Tools in a search result", { exact: true }).fill("40");
  await app.config.update((draft) => {
    draft.tools_limit = 50;
  }, "somebody else");
  await page.getByText("1 change: tools_limit").waitFor();
  await page.getByRole("button", { name: "Discard" }).click();
  await page
    .locator("input[value='50']")
    .or(page.getByLabel("Tools in a search result", { exact: true }))
    .first()
    .waitFor();
  await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
});

panelTest("earlier configurations are compared with the present one, and brought back", WORLD, async (panel) => {
  const { page, open, app, accessible, pictures } = panel;
  for (const limit of [20, 30])
    await app.config.update((draft) => {
      draft.tools_limit = limit;
    }, "test");
  await open("/configuration/history");
  await page.getByText("Active").waitFor();
  await accessible();
  await page.locator("[data-row='1']").click();
  await page.getByRole("dialog").locator("ins").first().waitFor();
  await accessible();
  await pictures("configuration-history");
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("including servers and secrets").waitFor();
  await page.getByRole("button", { name: "Restore" }).last().click();
  await page.getByText("version").first().waitFor();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  assert.equal(app.config.current().tools_limit, 20);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator("[data-row='4']").or(page.locator("[data-row='3']")).first().waitFor();
});
