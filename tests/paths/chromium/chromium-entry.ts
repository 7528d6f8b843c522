import './chromium-shims.ts'
import '@blueprintjs/core/lib/css/blueprint.css'
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import '../../../apps/web/src/styles/index.css'
import type { MachineName } from '../../machines/registry.ts'
import { webScreens } from '../../surfaces/web/screens.ts'
import { type Replay, replayPath, type Told } from '../recipes/replay-path.ts'
import { type Walk, type WalkOptions, walkPart } from '../walk-part.ts'

declare const tellReplay: (told: Told) => Promise<void>

const loadWebParts = async (machine: MachineName) => (await webScreens[machine]?.()) ?? {}
/** The functions that the runner calls. */
const harness = {
  parts: async (machine: MachineName): Promise<readonly string[]> =>
    Object.keys(await loadWebParts(machine)),
  walk: async (options: WalkOptions): Promise<Walk> => {
    const found = (await loadWebParts(options.machine))[options.part]
    if (found === undefined) throw new Error(`${options.machine} has no part ${options.part}`)
    return walkPart(found, options)
  },
  replay: async (wanted: Replay): Promise<Told> =>
    replayPath((await loadWebParts(wanted.machine))[wanted.part], wanted, tellReplay),
}
export type Harness = typeof harness
Object.assign(globalThis, { harness })
