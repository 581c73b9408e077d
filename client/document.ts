// A YAML 1.2 or JSON text that a person wrote, with the line and column of everything in it. Knows nothing of plans or configs:
// what a value means, and which fields there are, is the model's.

import { LineCounter, parseAllDocuments } from 'yaml';
import type { Document as YamlDocument, ParsedNode } from 'yaml';
import type { Path, Problem } from '../model/plan/problem.js';
import { formatPath } from '../model/plan/problem.js';
import type { Fault } from './document-convert.js';
import { convert, newReading } from './document-convert.js';
import type { Reading } from './document-convert.js';
import { locate, sourceAt } from './document-locate.js';
import { jsonFault } from './json-fault.js';

/** Something wrong with a file, where a person finds it. */
export interface FileProblem {
  /** as it was given */
  file: string;
  /** from 1; 0: the file as a whole */
  line: number;
  column: number;
  path: string;
  message: string;
  hint?: string;
}

export interface SourceDocument {
  /** plain JSON; aliases are shared objects */
  value: unknown;
  /** what is wrong with the text itself */
  problems: FileProblem[];
  /** true when the value is not worth looking at: the text could not be read, or expands without bound */
  unreadable: boolean;
  /** puts a problem of the value at its place in the file */
  place(problem: Problem): FileProblem;
  /** keys of the map at a path, as they were written */
  keysAt(path: Path): string[] | undefined;
}

interface Source {
  file: string;
  lines: LineCounter;
  json: boolean;
}

/**
 * Reads one document. Never throws on what is in the text.
 * @param file named in problems; a name ending in `.json` makes anything but JSON a fault
 */
export function readDocument(file: string, text: string): SourceDocument {
  const source: Source = { file, lines: new LineCounter(), json: file.endsWith('.json') };
  const broken = source.json && text !== '' ? jsonFault(text) : undefined;
  // uniqueKeys is off: its search is quadratic, and it cannot name the first of two equal keys
  const options = {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: source.lines,
  } as const;
  const documents = [...(parseAllDocuments(text, options) as Iterable<YamlDocument.Parsed>)];
  if (broken !== undefined) return unreadable(source, [{ ...broken, path: [] }]);
  const [first, second] = documents;
  if (!first?.contents) return unreadable(source, [{ offset: 0, path: [], message: 'the file is empty' }]);
  const syntax = documents.flatMap((document) =>
    [...document.errors, ...document.warnings].map((error) => ({ offset: error.pos[0], path: [], message: error.message })),
  );
  if (documents.some((document) => document.errors.length > 0)) return unreadable(source, syntax);
  const reading = newReading(first.contents, (offset) => source.lines.linePos(offset).line);
  const value = convert(first.contents, [], reading);
  return documentOf(source, value, reading, [...syntax, ...fileFaults(first, second), ...reading.faults]);
}

function fileFaults(first: YamlDocument.Parsed, second: YamlDocument.Parsed | undefined): Fault[] {
  const faults: Fault[] = [];
  const { explicit, version } = first.directives.yaml;
  if (explicit === true && version !== '1.2') faults.push({ offset: 0, path: [], message: `%YAML ${version}: files are read as YAML 1.2` });
  if (second !== undefined) {
    faults.push({
      offset: second.contents?.range[0] ?? second.range[0],
      path: [],
      message: 'a second document begins here: one file holds one',
    });
  }
  return faults;
}

function unreadable(source: Source, faults: Fault[]): SourceDocument {
  const place = (problem: Problem) => at(source, 0, problem);
  return {
    value: undefined,
    problems: faults.map((fault) => at(source, fault.offset, fault)),
    unreadable: true,
    place,
    keysAt: () => undefined,
  };
}

function documentOf(source: Source, value: unknown, reading: Reading, faults: Fault[]): SourceDocument {
  return {
    value,
    problems: faults.map((fault) => at(source, fault.offset, fault)),
    unreadable: reading.bomb,
    place: (problem) => at(source, locate(reading, problem.path, problem.at).offset, spelled(problem, reading, source.json)),
    keysAt: (path) => {
      const { node } = locate(reading, path);
      const entries = node === undefined ? undefined : reading.entries.get(node as ParsedNode & object);
      return entries === undefined ? undefined : [...entries.keys()];
    },
  };
}

/** A number where text was wanted: said with the characters that stand there, since `1.10` has already lost its zero as a value. */
function spelled(problem: Problem, reading: Reading, json: boolean): Problem {
  const scalar = problem.unquoted === true ? sourceAt(reading, problem.path) : undefined;
  if (scalar === undefined) return problem;
  if (scalar.source === '') return { ...problem, message: 'expected text, found nothing' };
  const language = json ? 'JSON' : 'YAML 1.2';
  return { ...problem, message: `\`${scalar.source}\` is a ${scalar.type} in ${language}, not text`, hint: `quote it: "${scalar.source}"` };
}

function at(source: Source, offset: number, { path, message, hint }: Problem): FileProblem {
  const { line, col } = source.lines.linePos(offset);
  // an empty text has no line for the counter to name
  return {
    file: source.file,
    line: Math.max(line, 1),
    column: Math.max(col, 1),
    path: formatPath(path),
    message,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** `file:line:column: path: message (hint)`, one line. */
export function formatProblem({ file, line, column, path, message, hint }: FileProblem): string {
  const place = line === 0 ? file : `${file}:${line}:${column}`;
  return `${place}: ${path === '' ? '' : `${path}: `}${message}${hint === undefined ? '' : ` (${hint})`}`;
}
