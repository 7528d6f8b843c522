// Sends the audit log to receivers outside: each line of each chain at least once, in order. How far a receiver has
// got is kept in the database, so that a stop of either side loses nothing (docs/rules/security.md#l2).
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PlatformServices } from '../../context.ts'
import { findDue } from '../../database/schools.ts'
import type { AuditRow } from '../line.ts'
import { fileReceiver, type Receiver, syslogReceiver } from './receivers.ts'

const batchLines = 200
/** Longer than a batch takes (receivers.ts). */
const leaseMs = 60_000
const restMs = 1_000
/** Pauses after failures in a row. */
const pauses = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000]

function createReceivers({
  auditSyslog,
  auditSyslogCa,
  auditFile,
}: PlatformServices['settings']): Receiver[] {
  return [
    ...(auditSyslog === undefined ? [] : [syslogReceiver(auditSyslog, { ca: auditSyslogCa })]),
    ...(auditFile === undefined ? [] : [fileReceiver(auditFile)]),
  ]
}

/** Delivers until it is stopped, each receiver by itself. The returned function resolves when no batch is under way. */
export function startDelivery(services: PlatformServices): () => Promise<void> {
  const stop = new AbortController()
  const running = createReceivers(services.settings).map((receiver) =>
    keepDelivering(services, receiver, stop.signal),
  )
  return async () => {
    stop.abort()
    await Promise.all(running)
  }
}

async function keepDelivering(
  services: PlatformServices,
  receiver: Receiver,
  signal: AbortSignal,
): Promise<void> {
  const holder = randomUUID()
  let failures = 0
  while (!signal.aborted) {
    try {
      const sent = await deliverOnce(services, receiver, holder)
      if (failures > 0)
        services.log.info({ receiver: receiver.name }, 'the audit log is delivered again')
      failures = 0
      if (sent === 0) await pauseDelivery(restMs, signal)
    } catch (error) {
      services.log.error(
        { err: error, receiver: receiver.name, failures: failures + 1 },
        'the audit log could not be delivered; its lines wait',
      )
      await pauseDelivery(pauses[Math.min(failures, pauses.length - 1)] ?? restMs, signal)
      failures += 1
    }
  }
}

/**
 * Sends one batch of each chain that has new lines, unless another server is sending it. Returns how many lines.
 * @throws what the receiver threw
 */
export async function deliverOnce(
  services: PlatformServices,
  receiver: Receiver,
  holder: string,
): Promise<number> {
  let sent = 0
  for (const { tenant } of await waitingChains(services, receiver.name))
    sent += await deliverChain(services, receiver, tenant, holder)
  return sent
}

interface Waiting {
  readonly tenant: string
  readonly lines: string
}

/** Chains with lines that a receiver does not have. The chain from before migration 0015 is not sent. */
function waitingChains(
  services: Pick<PlatformServices, 'database' | 'log'>,
  receiver: string,
): Promise<readonly Waiting[]> {
  return findDue(services, 'looking for audit lines to deliver', async (tenant) => {
    const { rows } = await sql<Waiting>`
      select c.tenant_id::text as tenant, (c.number - coalesce(d.number, 0))::text as lines
      from sys.audit_chain c
      left join sys.audit_delivery d on d.tenant_id = c.tenant_id and d.receiver = ${receiver}
      where ${tenant === null ? sql`c.tenant_id >= 0` : sql`c.tenant_id = ${tenant}::int8`}
        and c.number > coalesce(d.number, 0)
      order by c.tenant_id`.execute(services.database.kysely)
    return rows
  })
}

async function deliverChain(
  { database: { kysely }, now }: PlatformServices,
  receiver: Receiver,
  tenant: string,
  holder: string,
): Promise<number> {
  const number = await take(kysely, tenant, receiver.name, holder, now())
  if (number === undefined) return 0
  const { rows } = await sql<AuditRow>`
    select * from sys.audit_log where tenant_id = ${tenant}::int8 and number > ${number}::int8
    order by number limit ${batchLines}`.execute(kysely)
  const last = rows.at(-1)?.number
  if (last == null) return 0
  await receiver.send(rows)
  await sql`
    update sys.audit_delivery set number = ${last}::int8, sent_at = ${now().toISOString()}::timestamptz
    where tenant_id = ${tenant}::int8 and receiver = ${receiver.name} and held_by = ${holder}`.execute(
    kysely,
  )
  return rows.length
}

type Db = PlatformServices['database']['kysely']

/** The line up to which the receiver has the chain; undefined while another server sends it. */
async function take(
  db: Db,
  tenant: string,
  receiver: string,
  holder: string,
  now: Date,
): Promise<string | undefined> {
  const [at, until] = [now.toISOString(), new Date(now.getTime() + leaseMs).toISOString()]
  const { rows } = await sql<{ number: string }>`
    insert into sys.audit_delivery as d (tenant_id, receiver, number, held_by, held_until)
    values (${tenant}::int8, ${receiver}, 0, ${holder}, ${until}::timestamptz)
    on conflict (tenant_id, receiver) do update
      set held_by = excluded.held_by, held_until = excluded.held_until
      where d.held_by = excluded.held_by or d.held_until is null or d.held_until < ${at}::timestamptz
    returning number::text as number`.execute(db)
  return rows[0]?.number
}

/** For /metrics: how many lines each receiver does not have. */
export function waitingAt(services: PlatformServices) {
  return createReceivers(services.settings).map(({ name }) => ({
    name,
    waiting: async () =>
      (await waitingChains(services, name)).reduce((sum, { lines }) => sum + Number(lines), 0),
  }))
}

function pauseDelivery(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}
