// Calls the programs that a school has told to be told, outside any transaction: a server that is killed between the
// call and its note calls once more, with the same id.
import { hmac } from './signature.ts'
import { request as plainRequest, Agent as PlainAgent } from 'node:http'
import { request as secureRequest, Agent as SecureAgent } from 'node:https'
import { sql } from 'kysely'
import type { PlatformServices } from '../context.ts'
import { exactlyOne } from '../database/tables/row-count.ts'
import { databaseOf } from '../database/any-database.ts'
import type { JobHandler } from '../jobs/job-handler.ts'
import { drain } from '../jobs/queue.ts'
import { createTaskStore, type Task } from '../jobs/task-store.ts'
import { bothLanguages, sendMessage } from '../messages.ts'
import { assertCallable, createLookup } from './public-address.ts'

export interface HookDelivery extends Task {
  readonly hook_id: string
  readonly row_key: string
  readonly event: string
  readonly content: string
}

/** The column whose ciphertext a secret is. */
export const secretContext = 'sys.hook.secret'
const timeoutMs = 10_000
const most = 10

/** The program gave no answer of success: it is called again later. */
class HookFailed extends Error {
  override readonly name = 'HookFailed'
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const { store, complete } = createTaskStore<HookDelivery>({
  table: 'sys.hook_delivery',
  purpose: 'looking for programs to call',
  most,
  // In order for each row: none before an earlier one was delivered or given up.
  ready: (tenant) => sql`not exists (
    select 1 from sys.hook_delivery e
    where e.tenant_id = ${tenant === null ? sql`hook_delivery.tenant_id` : sql`${tenant}::int8`}
      and e.tenant_id = hook_delivery.tenant_id and e.hook_id = hook_delivery.hook_id
      and e.row_key = hook_delivery.row_key and e.id < hook_delivery.id and e.done_at is null)`,
})

export const hookHandler: JobHandler<HookDelivery> = {
  kind: 'hook',
  store,
  run: async (services, { job, lease }) => {
    await deliver(services, job)
    await complete(databaseOf(services), services.now(), lease)
  },
  concurrency: 4,
  pollMs: 2_000,
  renewMs: 20_000,
  mostPerRound: 500,
}

/** Makes the calls that are due. Returns how many. */
export function callDue(services: PlatformServices): Promise<number> {
  return drain(services, hookHandler)
}

/** @throws HookFailed */
async function deliver(services: PlatformServices, job: HookDelivery): Promise<void> {
  const { database, keys, settings, log } = services
  const hook = await database.kysely
    .selectFrom('sys.hook')
    .select(['id', 'name', 'url', 'secret', 'create_user'])
    .where('tenant_id', '=', job.tenant_id)
    .where('id', '=', job.hook_id)
    .executeTakeFirst()
  if (hook === undefined) return
  const secret = keys.open(secretContext, hook.secret)
  let failure: string
  let status: number | null = null
  try {
    status = await post(new URL(hook.url), job, { secret, allowed: settings.hookNetworks })
    failure = String(status)
  } catch (error) {
    failure = readFailure(error)
  }
  exactlyOne(
    await database.kysely
      .updateTable('sys.hook_delivery')
      .set({ status })
      .where('tenant_id', '=', job.tenant_id)
      .where('id', '=', job.id)
      .executeTakeFirst(),
    'hook_delivery',
  )
  if (status !== null && status >= 200 && status < 300) return
  log.warn(
    { hook: hook.id, delivery: job.id, attempt: job.attempts, failure },
    'a hook was not taken',
  )
  if (job.attempts >= most)
    await sendMessage(database.kysely, services, {
      tenant: job.tenant_id,
      receivers: [hook.create_user],
      ...bothLanguages('hook.givenUp.title', 'hook.givenUp.content', {
        name: hook.name,
        row: job.row_key,
        failure,
      }),
    })
  throw new HookFailed(failure)
}

function readFailure(error: unknown): string {
  const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown }
  return String(code ?? name ?? 'NO_ANSWER')
}

/** Posts a delivery and reads the status alone. No redirect is followed, no proxy asked. */
function post(
  url: URL,
  { id, event, content }: HookDelivery,
  { secret, allowed }: { readonly secret: string; readonly allowed: readonly string[] },
): Promise<number> {
  assertCallable(url, allowed)
  const isSecure = url.protocol === 'https:'
  const agent = isSecure
    ? new SecureAgent({ keepAlive: false })
    : new PlainAgent({ keepAlive: false })
  const at = Math.floor(Date.now() / 1000)
  return new Promise((resolve, reject) => {
    const call = (isSecure ? secureRequest : plainRequest)(
      url,
      {
        method: 'POST',
        agent,
        lookup: createLookup(allowed),
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(content),
          'user-agent': 'jiaowu-hook',
          'x-jiaowu-delivery': id,
          'x-jiaowu-event': event,
          'x-jiaowu-signature': `t=${at},v1=${hmac(secret, at, content)}`,
        },
      },
      (answer) => {
        resolve(answer.statusCode ?? 0)
        answer.destroy()
      },
    )
    call.on('error', reject)
    call.end(content)
  })
}
