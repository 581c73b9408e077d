// Whether Temporal answers, and who works for it.

import { queues } from '../../model/ids.js';
import { connect, type Door } from '../../client/connect.js';
import { pollersOf, QUEUE_TYPE, thisHost } from '../../client/home.js';
import { knowsSearchAttributes, SEARCH_ATTRIBUTES } from '../../client/search-attributes.js';
import { temporalSettings } from '../../client/temporal-config.js';
import type { Io } from '../io.js';
import type { Settings } from '../settings.js';
import { fail, ok, warn, type Finding } from './finding.js';

export async function checkTemporal(io: Io, settings: Settings): Promise<Finding[]> {
  const named = temporalSettings(settings.where);
  if (!named.ok) return [fail('temporal', named.refusal.message, 'mend the profile or the variables')];
  if (named.value.source === 'none') {
    return [ok('temporal', 'nothing configured and no dev server here: `sluice run` starts one by itself')];
  }
  const door = await connect({ env: io.env, home: io.home, config: settings.config });
  if (!door.ok)
    return [
      fail(
        'temporal',
        door.refusal.message,
        named.value.source === 'dev' ? 'start it with `sluice dev`' : 'check the address, or unset it',
      ),
    ];
  try {
    return await checkServed(door.value, settings);
  } finally {
    await door.value.close();
  }
}

async function checkServed(door: Door, { fleet, where }: Settings): Promise<Finding[]> {
  const findings = [ok('temporal', `${door.address}, namespace ${door.namespace}`)];
  const start = 'start one with `sluice worker`, or `sluice dev`';
  const workflows = await pollersOf(door, queues.main(fleet), QUEUE_TYPE.workflow);
  findings.push(
    workflows > 0 ? ok('workers', `${workflows} on ${queues.main(fleet)}`) : fail('workers', `none polls ${queues.main(fleet)}`, start),
  );
  const host = await thisHost(where);
  const here = host === undefined ? 0 : await pollersOf(door, queues.host(fleet, host), QUEUE_TYPE.activity);
  const label = 'this host';
  findings.push(
    here > 0
      ? ok(label, `${host} is served`)
      : warn(label, `${host ?? 'no host id yet'}: no worker of this machine polls`, `${start}: without one a run has no home here`),
  );
  const known = await knowsSearchAttributes(door);
  if (known) findings.push(ok('search attributes', 'registered'));
  else
    findings.push(
      warn(
        'search attributes',
        `not all of ${SEARCH_ATTRIBUTES.join(', ')} are registered`,
        "nothing rests on them; registering makes Temporal's own lists searchable",
      ),
    );
  if (!door.hasStore)
    findings.push(
      warn(
        'payload store',
        'none that this fleet shares',
        'plans and outputs over 2 MB are refused; set SLUICE_PAYLOAD_STORE or payloadStore',
      ),
    );
  return findings;
}
