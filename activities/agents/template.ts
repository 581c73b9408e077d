// Fills in the argv template of a `command` agent. No shell: a word of the template stays one argument, whatever is put in.

export interface TemplateValues {
  prompt?: string;
  promptFile: string;
  model?: string;
  session?: string;
}

const PLACEHOLDER = /\{(prompt|promptFile|model|session)\}/g;

/**
 * Each placeholder is replaced, alone in a word or inside one, in a single pass: braces inside a prompt stay as they are.
 * A word whose placeholder has no value is left out, with the flag (a word that begins with `-`) right before it, so that
 * `--model {model}` disappears when no model is given.
 */
export function fillTemplate(template: readonly string[], values: TemplateValues): string[] {
  const argv: string[] = [];
  for (const [index, word] of template.entries()) {
    const names = [...word.matchAll(PLACEHOLDER)].map((found) => found[1] as keyof TemplateValues);
    if (names.every((name) => values[name] !== undefined)) {
      argv.push(word.replace(PLACEHOLDER, (_all, name: keyof TemplateValues) => values[name]!));
    } else if (index > 1 && template[index - 1]!.startsWith('-') && argv.at(-1) === template[index - 1]) {
      argv.pop();
    }
  }
  return argv;
}

/** Whether a template has a place for `name`. */
export function hasPlace(template: readonly string[], name: keyof TemplateValues): boolean {
  return template.some((word) => word.includes(`{${name}}`));
}
