// Settings of a run with their defaults. An unusable value falls back to its default with a warning that names it,
// never to zero or to "disabled" (plan.md). Each default says where its number comes from.

export interface RunSettings {
  /** ask-then-kill, ms (run.md, Cancelling) */
  graceMs: number;
  /** no progress for this long is a quiet worker, ms */
  quietMs: number;
  /** tries of an agent that produced nothing (run.md, Dispatches) */
  agentAttempts: number;
  backoffMs: number;
  backoffMaxMs: number;
  /** worker deaths a dispatch survives */
  maxDeaths: number;
  /** s between heartbeats, and the server's patience (agents.md: 5/15 locally, 20/60 against Cloud) */
  heartbeatMs: number;
  heartbeatTimeoutMs: number;
  /** after the result event, before the tree is ended, ms */
  resultGraceMs: number;
  /** history events at which the run may, and must, continue as new; tests lower them */
  rollAtEvents: number;
  drainAtEvents: number;
  /** what outlasts a drain this long is asked to hand over, ms */
  drainPatienceMs: number;
  /** first and longest wait between looks at other workflows, ms (run.md, Needs across runs) */
  sweepMs: number;
  sweepMaxMs: number;
  /** dispatches, and their bytes, per activation (over 4 MB in one answer ends a run) */
  maxDispatchesPerTask: number;
  maxDispatchBytesPerTask: number;
}

export const DEFAULT_SETTINGS: RunSettings = {
  graceMs: 300_000,
  quietMs: 2_400_000,
  agentAttempts: 3,
  backoffMs: 5_000,
  backoffMaxMs: 120_000,
  maxDeaths: 10,
  heartbeatMs: 5_000,
  heartbeatTimeoutMs: 15_000,
  resultGraceMs: 30_000,
  rollAtEvents: 4_000,
  drainAtEvents: 30_000,
  drainPatienceMs: 300_000,
  sweepMs: 300_000,
  sweepMaxMs: 3_600_000,
  maxDispatchesPerTask: 100,
  maxDispatchBytesPerTask: 1_048_576,
};

const MAY_BE_ZERO: readonly (keyof RunSettings)[] = ['graceMs', 'resultGraceMs'];

/**
 * Fills in defaults. Only finite numbers above zero are taken (graces may be zero).
 * @returns the settings and one warning for each value that could not be used
 */
export function readSettings(given: Readonly<Record<string, unknown>>): { settings: RunSettings; warnings: string[] } {
  const settings = { ...DEFAULT_SETTINGS };
  const warnings: string[] = [];
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULT_SETTINGS, key)) {
      warnings.push(`settings.${key}: unknown setting, ignored`);
      continue;
    }
    const name = key as keyof RunSettings;
    const usable = typeof value === 'number' && Number.isFinite(value) && (value > 0 || (value === 0 && MAY_BE_ZERO.includes(name)));
    if (usable) settings[name] = value;
    else warnings.push(`settings.${key}: ${JSON.stringify(value)} cannot be used, using ${DEFAULT_SETTINGS[name]}`);
  }
  return { settings, warnings };
}
