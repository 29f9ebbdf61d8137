// Runs the checks whose names hold the arguments (all without any); exit status 0 if all are right.
//   WEBGPU_PACKAGE=.../node_modules/webgpu node run_checks.mjs [NAME...]
//   deno run -A --unstable-webgpu run_checks.mjs [NAME...]
import {Kit, exit, inDeno, inNode, openAdapter, openDevice, programArguments} from './harness.mjs';
import {computeChecks} from './compute_checks.mjs';
import {drawChecks} from './draw_checks.mjs';
import {pipelineChecks} from './pipeline_checks.mjs';
import {textureChecks} from './texture_checks.mjs';
import {tierChecks} from './tier_checks.mjs';

const checks = {...computeChecks, ...textureChecks, ...drawChecks, ...pipelineChecks, ...tierChecks};

async function runOne(device, check) {
  device.pushErrorScope('out-of-memory');
  device.pushErrorScope('internal');
  device.pushErrorScope('validation');
  let failure = '';
  try {
    await check.run(new Kit(device));
  } catch (error) {
    failure = error.message;
  }
  for (let i = 0; i < 3; i++) failure = (await device.popErrorScope())?.message ?? failure;
  return failure;
}

export async function runChecks(names, print) {
  const {gpu, adapter} = await openAdapter();
  const counts = {right: 0, wrong: 0, skipped: 0};
  const device = await openDevice(adapter);
  for (const [name, check] of Object.entries(checks)) {
    if (names.length && !names.some((part) => name.includes(part))) continue;
    const missing = (check.needs ?? []).filter((feature) => !adapter.features.has(feature));
    if (missing.length) {
      counts.skipped++;
      print(`skipped ${name}: no ${missing}`);
      continue;
    }
    const failure = await runOne(device, check);
    counts[failure ? 'wrong' : 'right']++;
    print(failure ? `WRONG ${name}: ${failure}` : `right ${name}`);
  }
  print(`${counts.right} right, ${counts.wrong} wrong, ${counts.skipped} skipped`);
  device.destroy();
  return counts.wrong ? 1 : 0;
}

if (inDeno || inNode) exit(await runChecks(programArguments, console.log));
