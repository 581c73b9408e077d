// Times and durations as people read them. Local time of this machine; documents carry UTC.

/** `HH:MM:SS`, local. */
export function clock(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '--:--:--';
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

/** `2026-11-30 14:05`, local. */
export function day(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `850 ms`, `12 s`, `3m 05s`, `2h 10m`, `3d 4h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const s = Math.floor(ms / 1_000);
  if (s < 60) return `${s} s`;
  if (s < 3_600) return `${Math.floor(s / 60)}m ${two(s % 60)}s`;
  if (s < 86_400) return `${Math.floor(s / 3_600)}h ${two(Math.floor((s % 3_600) / 60))}m`;
  return `${Math.floor(s / 86_400)}d ${Math.floor((s % 86_400) / 3_600)}h`;
}

/** From start to end, or to `now` while it lasts; empty when it has not started. */
export function elapsed(started: string | undefined, ended: string | undefined, now: number): string {
  return started === undefined ? '' : duration((ended === undefined ? now : Date.parse(ended)) - Date.parse(started));
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}
