// The local record of one child, as the guard keeps it up to date.
// It knows nothing of processes beyond their identity.

import type { Identity } from './identity.js';
import type { LocalRecord } from './process.js';
import { readRecord, RecordClaim, removeRecord, writeRecord } from './records.js';

export class GuardRecord {
  readonly #path: string;
  #record: LocalRecord;
  #claim: RecordClaim | undefined;
  /** the file under this name is this child's */
  #holds = false;

  constructor(path: string, record: LocalRecord) {
    this.#path = path;
    this.#record = record;
  }

  /**
   * Before the child is started: should worker and guard be killed in between, a sweep finds the child by the marker.
   * A record that an earlier attempt left stays until the child has started.
   * @throws when the disk refuses: then nothing is started
   */
  claim(): void {
    this.#claim = new RecordClaim(this.#path, this.#record);
  }

  started(child: Identity): void {
    this.#record = { ...this.#record, ...child };
    this.#claim?.complete(this.#record);
    this.#claim = undefined;
    this.#holds = true;
  }

  notStarted(): void {
    this.#claim?.drop();
    this.#claim = undefined;
  }

  note(progress: { session?: string; spoke?: boolean }): void {
    const next = { ...this.#record, ...progress };
    if (next.session !== this.#record.session || next.spoke !== this.#record.spoke) this.#update(next);
  }

  /** The tree is gone and nobody has read how it ended: kept for the next attempt. */
  ended(at: Date): void {
    this.#update({ ...this.#record, ended: at.toISOString() });
  }

  remove(): void {
    if (this.#isMine()) removeRecord(this.#path);
    this.#holds = false;
  }

  /** A later attempt writes its own record under this name. */
  release(): void {
    this.#holds = false;
  }

  #update(next: LocalRecord): void {
    this.#record = next;
    if (this.#isMine()) writeRecord(this.#path, next);
  }

  /** A guard of another worker may have superseded this attempt and written its own record meanwhile. */
  #isMine(): boolean {
    return this.#holds && readRecord(this.#path)?.marker === this.#record.marker;
  }
}
