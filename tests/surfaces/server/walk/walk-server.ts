import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MachineName } from '../../../machines/registry.ts'
import { captchaAnswer, captchaEnv } from '../../../support/student.ts'
import { password, startRealServer } from '../../../support/server.ts'
import type { SurfacePart } from '../../parts.ts'
import { type NotArranged, notArranged } from '../arranged.ts'
import { type Conformance, endpointReports } from '../conformance.ts'
import { serverParts } from '../parts.ts'
import { serverDriver } from '../server-driver.ts'
import { createFixtures, type Fixtures } from '../fixtures.ts'
import type { ServerSettings } from '../settings.ts'
import { sweepRefusals } from './sweep.ts'
import { tour } from './tour.ts'
import { openRunContext, type RunContext } from '../run-context.ts'

export interface OwnServer {
  readonly settings: ServerSettings
  stop(): Promise<void>
}
/**
 * Our own server with the demo data, when no address is given. Its students share a campus network:
 * one address may request many codes.
 */
export async function startOwnServer(): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-paths-'))
  const { url, dataDir, stop } = await startRealServer({
    ...captchaEnv,
    DATA_DIR: folder,
    CAMPUS_CIDRS: '127.0.0.1/32',
  })
  // docs/rules/contract.md#demo-data
  const students = Array.from({ length: 13 }, (_, index) => String(13_800_000_001 + index))
  return {
    settings: {
      url,
      password,
      tenant: '',
      accounts: { admin: 'admin', registrar: 'registrar', viewer: 'viewer' },
      students,
      captcha: captchaAnswer,
      smsOutbox: `${dataDir}/outbox/sms.jsonl`,
    },
    stop,
  }
}

export interface ServerRun {
  readonly run: RunContext
  readonly fixtures: Fixtures
  /**
   * The concerns of a machine, prepared once; none for a machine without calls or one that no
   * account can reach.
   */
  partsOf(machine: MachineName): Promise<Readonly<Record<string, SurfacePart>>>
  /** The sweep, the tour, the cleanup, and the summary of all calls of the run. */
  finish(options: { readonly sweep: boolean }): Promise<Conformance>
}

export function openServerRun(
  settings: ServerSettings,
  through?: typeof globalThis.fetch,
): ServerRun {
  const run = openRunContext(settings, through),
    fixtures = createFixtures(run)
  const missing: NotArranged[] = []
  const prepare = async (machine: MachineName): Promise<Readonly<Record<string, SurfacePart>>> => {
    const make = serverParts[machine]
    const parts = make === null ? {} : await make(fixtures)
    run.wire.takeFaults() // Faults of preparing calls belong to those calls, not to the next path.
    if (make !== null) missing.push(...notArranged(machine, parts))
    return Object.fromEntries(
      Object.entries(parts).map(([name, { spec, stage }]) => [
        name,
        { spec, drive: async () => serverDriver(spec, await stage(), run.wire) },
      ]),
    )
  }
  const known = new Map<MachineName, ReturnType<typeof prepare>>()
  return {
    run,
    fixtures,
    partsOf: (machine) => {
      const parts = known.get(machine) ?? prepare(machine)
      known.set(machine, parts)
      return parts
    },
    finish: async ({ sweep }) => {
      const findings = sweep
        ? [
            ...(await sweepRefusals(fixtures).catch((error: unknown) => [
              `sweep: ${String(error)}`,
            ])),
            ...(await tour(fixtures).catch((error: unknown) => [`tour: ${String(error)}`])),
          ]
        : []
      const left = await run.close()
      return {
        against: settings.url,
        endpoints: endpointReports(run.wire.exchanges),
        notArranged: missing,
        findings,
        left,
      }
    },
  }
}
