// What stands around a plan when it is read: the config, the command line, and the files it names. Plain values.

import type { Config } from '../config.js';

export interface PlanContext {
  config: Config;
  /** `--agent`: outranks what nodes say */
  agentFlag?: string;
  /** `--input name=value` */
  inputs: Readonly<Record<string, string>>;
  /** true where nothing is started: required inputs may still be missing */
  inputsLater?: boolean;
  /** default: the config's */
  knownExecutors?: readonly string[];
  /** content of each prompt file, by the path the plan names it with; those that could not be read are absent */
  promptFiles: Readonly<Record<string, string>>;
  /** names a plan that has no `name`: made from its file's */
  fallbackName: string;
  /** ids in the order written: JavaScript moves keys such as `12` to the front */
  nodeOrder?: readonly string[];
}
