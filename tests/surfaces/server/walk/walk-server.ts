import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MachineName } from '../../../machines/registry.ts'
import { captchaAnswer, captchaEnv } from '../../../support/student.ts'
import { password, startRealServer } from '../../../support/server.ts'
import { mapParts, type SurfacePart } from '../../parts.ts'
import { type NotArranged, notArranged } from '../arranged.ts'
import { type Conformance, endpointReports } from '../conformance.ts'
import { serverParts } from '../parts.ts'
import { serverDriver } from '../server-driver.ts'
import { createFixtures } from '../fixtures.ts'
import type { ServerSettings } from '../settings.ts'
import { sweepRefusals } from './sweep.ts'
import { tour } from './tour.ts'
import { openRunContext } from '../run-context.ts'

/**
 * Our own server with the demo data, when no address is given. Its students share a campus network:
 * one address may request many codes.
 */
export async function startOwnServer() {
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-paths-'))
  const { url, dataDir, stop } = await startRealServer({
    ...captchaEnv,
    DATA_DIR: folder,
    CAMPUS_CIDRS: '127.0.0.1/32',
  })
  return { settings: ownSettings(url, password, dataDir), stop }
}

/** The accounts of the demo data (docs/rules/contract.md#demo-data). */
export function ownSettings(url: string, password: string, dataDir: string): ServerSettings {
  return {
    url,
    password,
    tenant: '',
    accounts: { admin: 'admin', registrar: 'registrar', viewer: 'viewer' },
    students: Array.from({ length: 13 }, (_, index) => String(13_800_000_001 + index)),
    captcha: captchaAnswer,
    smsOutbox: `${dataDir}/outbox/sms.jsonl`,
  }
}

export type ServerRun = ReturnType<typeof openServerRun>

export function openServerRun(settings: ServerSettings, through?: typeof globalThis.fetch) {
  const run = openRunContext(settings, through),
    fixtures = createFixtures(run)
  const missing: NotArranged[] = []
  const prepare = async (machine: MachineName): Promise<Readonly<Record<string, SurfacePart>>> => {
    const make = serverParts[machine]
    if (make === null) return {}
    const parts = await make(fixtures)
    run.wire.takeFaults() // Faults of preparing calls belong to those calls, not to the next path.
    missing.push(...notArranged(machine, parts))
    return mapParts(parts, ({ spec, stage }) => ({
      spec,
      drive: async () => serverDriver(spec, await stage(), run.wire),
    }))
  }
  const known = new Map<MachineName, ReturnType<typeof prepare>>()
  return {
    run,
    fixtures,
    /**
     * The concerns of a machine, prepared once; none for a machine without calls or one that no
     * account can reach.
     */
    partsOf: (machine: MachineName) => {
      const parts = known.get(machine) ?? prepare(machine)
      known.set(machine, parts)
      return parts
    },
    /** The sweep, the tour, the cleanup, and the summary of all calls of the run. */
    finish: async ({ sweep }: { readonly sweep: boolean }): Promise<Conformance> => {
      const findings: string[] = []
      for (const [name, find] of sweep ? Object.entries({ sweep: sweepRefusals, tour }) : [])
        findings.push(
          ...(await find(fixtures).catch((error: unknown) => [`${name}: ${String(error)}`])),
        )
      const left = await run.close()
      const endpoints = endpointReports(run.wire.exchanges)
      return { against: settings.url, endpoints, notArranged: missing, findings, left }
    },
  }
}
