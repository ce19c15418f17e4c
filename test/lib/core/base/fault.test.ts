import assert from "node:assert/strict";
import { test } from "node:test";
import { CORE_FAULTS } from "#lib/core/base/core-faults.ts";
import { defineFaults, Fault, type FaultCode } from "#lib/core/base/fault.ts";

test("a module's fault is thrown as one of the core", () => {
  defineFaults({ scratch_full: { status: 507, text: (p: { place: string }) => `${p.place} is full` } });

  const thrown = new Fault("scratch_full" as FaultCode, { place: "here" } as never);

  assert.equal(thrown.message, "here is full");
  assert.equal(thrown.status, 507);
  assert.equal(thrown.code, "scratch_full");
});

test("the faults of the core are sorted by code", () => {
  const codes = Object.keys(CORE_FAULTS);

  assert.deepEqual(codes, [...codes].sort());
});
