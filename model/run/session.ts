// The conversation of an agent CLI, as a run refers to it. Knows nothing of what is said in it.

/** The conversation an agent CLI keeps, and the host that has it. */
export interface SessionRef {
  id: string;
  host: string;
}
