// One thing that is wrong with a document that people write. Where it stands in a file is the reader's business.

export type Path = readonly (string | number)[];

export interface Problem {
  path: Path;
  message: string;
  /** what was meant, or what to do: "did you mean `survey`?" */
  hint?: string;
  /** point at the key instead of its value (unknown fields, ids) */
  at?: 'key';
  /** text was wanted and a number, boolean or null found: a reader that has the source says "quote it" */
  unquoted?: true;
}

const PLAIN_KEY = /^[A-Za-z0-9_-]+$/;

/** `nodes.build.change.steps.test.needs[0]`; keys with other characters stand in brackets: `nodes["a.b"]`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!PLAIN_KEY.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}
