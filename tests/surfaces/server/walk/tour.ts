import type { FactorStep } from '@jiaowu/api/contract/factor'
import type { Row, Values } from '@jiaowu/api/entity/values'
import { factorNeededCode, toProblem } from '@jiaowu/api/problem'
import { generate } from 'otplib'
import { type Faults, flatFaults, isRefused, must, expectSame } from '../checks.ts'
import { choosesFrom, type Fixtures } from '../fixtures.ts'
import { createRow, newValues, type RowSet } from '../rows/rows.ts'
import type { Api, RunContext } from '../run-context.ts'

/** The means of a stop: `api` of the administrator, and the rows of the run. */
interface Stay extends Fixtures {
  readonly api: Api
  readonly rows: RowSet
}
type Stop = (stay: Stay) => Promise<Faults>

/** Calls that no path needs, on rows of this run; returns a line per fault. */
export async function tour(fixtures: Fixtures): Promise<string[]> {
  const { run } = fixtures,
    rows = await fixtures.listed()
  await rows.ensure()
  const stay: Stay = { ...fixtures, rows, api: (await run.helper('admin')).api }
  const stops = {
    ids: checkGeneratedIds,
    attachments,
    histories,
    accounts,
    devices,
    signOns,
    roles,
    dictionaries,
    views,
    flows,
    registry,
  } as const satisfies Readonly<Record<string, Stop>>
  const lines: string[] = []
  for (const [name, stop] of Object.entries(stops)) {
    const faults = await stop(stay).catch((error: unknown) => [String(error)])
    lines.push(...(await flatFaults(faults)).map((line) => `${name}: ${line}`))
  }
  return [...lines, ...run.wire.takeFaults()]
}

async function checkGeneratedIds({ api }: Stay): Promise<Faults> {
  const given = [await api.session.generateId({}), await api.session.generateId({})]
  const isFine = given.every((id) => /^\d{1,19}$/.test(id)) && given[0] !== given[1]
  return must(isFine, `generateId: ${given.join(', then ')}`)
}

/** The smallest PNG: one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The right to a file is the right to its row (docs/rules/contract.md#files). */
async function attachments({ run, rows, api: { attachment } }: Stay): Promise<Faults> {
  const owner = { bizType: rows.tag, bizId: rows.idOf('02') }
  const upload = (file: File) => attachment.upload({ body: { file, ...owner } })
  const imageBy = (token: string) =>
    run.anonymous.attachment.image({ params: owner, query: { token } })
  const text = await upload(new File(['conformance'], 'a.txt', { type: 'text/plain' }))
  const one = await attachment.download({ query: { ids: text.id } }),
    said = await readReplyText(one)
  await attachment.remove({ query: { ids: text.id } })
  const file = await upload(new File([dot], 'dot.png', { type: 'image/png' }))
  const listed = (await attachment.list({ query: owner })).map(({ id }) => id)
  await readReplyText(await attachment.downloadOfRow({ query: owner }))
  const image = await imageBy((await attachment.ticket({ body: owner })).ticket)
  await readReplyText(image)
  const madeUp = await isRefused(
    'an image with a made-up ticket',
    imageBy('0'.repeat(43)),
    [401, 403, 404],
  )
  const { deleted } = await attachment.remove({ query: { ids: file.id } })
  return [
    expectSame('attachments of the row', [file.id], listed),
    expectSame('the attachment', ['a.txt', 'conformance'], [one.name, said]),
    expectSame('type of the image', 'image/png', image.type),
    madeUp,
    expectSame('attachments removed', 1, deleted),
    isRefused('a removed attachment', attachment.download({ query: { ids: file.id } }), 404),
  ]
}

/** The history of a row, and restoring deleted ones. */
async function histories({ rows, api: { history, entityData } }: Stay): Promise<Faults> {
  const { tag, name } = rows,
    id = rows.idOf('03')
  const { row } = await history.of({ params: { tag, id } })
  const ofRow = expectSame('row of the history', id, row.id)
  if (rows.config.recycles !== true) return ofRow
  await rows.remove(['03'])
  const { records } = await history.recycled({ params: { tag }, body: { pageSize: 50 } })
  const { restored } = await history.restore({ params: { tag, ids: id } })
  const back = await entityData.get({ params: { tag, id } })
  await entityData.remove({ params: { tag, ids: id } })
  await rows.ensure()
  return [
    ofRow,
    must(
      records.some((each) => each.id === id),
      'history.recycled: the deleted row is not in it',
    ),
    expectSame('rows restored', 1, restored),
    expectSame('the restored row', rows.called('03'), back[name]),
  ]
}

/** A new user gets a password, must change it, and signs in with their own. */
async function accounts({ run, api }: Stay): Promise<Faults> {
  const tag = 'SYS_USER',
    newPassword = `Own-${run.prefix}-2026`
  const { fields } = await api.entityData.config({ params: { tag } }),
    secret = fields.find(({ uiType }) => uiType === 'password')
  const given = secret === undefined ? {} : { [secret.attrName]: `First-${run.prefix}-2026` }
  const { id } = await ownRow(run, api, tag, `${run.prefix}user`, given)
  const { account, password } = await api.account.resetPassword({ params: { id } })
  const enter = (secretOf: string) =>
    run.anonymous.session.signIn({
      body: { grant_type: 'password', username: account, password: secretOf },
    })
  const first = await enter(password),
    they = run.userWith({ access: first.access_token, refresh: first.refresh_token })
  await they.api.session.changePassword({ body: { oldPassword: password, newPassword } })
  const second = await enter(newPassword)
  const musts = [first, second].map(({ userInfo }) => userInfo.mustChangePassword)
  const own = run.userWith({ access: second.access_token, refresh: second.refresh_token })
  return [
    ...(await flatFaults(await factors({ run, api }, own.api, id, () => enter(newPassword)))),
    expectSame('mustChangePassword', [true, false], musts),
    isRefused('the old password', enter(password), 400),
    // Students' requests need SMS codes: tests/server/identity/registration-requests.test.ts.
    isRefused(
      'a request to register that does not exist',
      api.registration.decide({ params: { id: '1' }, body: { version: 1, agree: false } }),
      404,
    ),
  ]
}

/** A second factor: set up, asked at the sign-in, and removed by its owner (docs/rules/security.md#s10). */
async function factors(
  { run, api }: Pick<Stay, 'run' | 'api'>,
  own: Api,
  id: string,
  enter: () => Promise<unknown>,
): Promise<Faults> {
  const { secret } = await own.factor.enrolTotp({ body: {} })
  const { recovery } = await own.factor.enrolTotp({
    body: { code: await generate({ secret: secret ?? '' }) },
  })
  const asked = await enter().then(
    () => null,
    (error: unknown) => toProblem(error),
  )
  const { factor } = (asked?.data ?? {}) as { factor?: FactorStep }
  const token = factor?.token ?? ''
  const verified = await run.anonymous.factor.verify({
    body: { token, kind: 'recovery', code: recovery?.[0] ?? '' },
  })
  const renewed = await own.factor.renewRecovery({})
  const before = await own.factor.list({})
  const { count } = await api.account.factors({ params: { id } })
  await own.factor.remove({ params: { id: 'totp' } })
  return [
    expectSame('the code of a sign-in that lacks a factor', factorNeededCode, asked?.code),
    expectSame('the account after the factor', id, verified.userInfo.id),
    expectSame('recovery codes', [10, 10], [renewed.recovery.length, before.recoveryLeft]),
    expectSame('factors of the account', 1, count),
    // Two administrators: tests/server/identity/factor.test.ts.
    isRefused('a reset without a factor', api.account.resetFactors({ params: { id } }), 409),
    isRefused(
      'a passkey of a step that is over',
      run.anonymous.factor.challenge({ body: { token } }),
      400,
    ),
    isRefused(
      'a passkey that signed nothing',
      own.factor.enrolPasskey({ body: { name: 'A', response: {} } }),
      400,
    ),
  ]
}

/** Sign-in of a device without a browser by one that confirms its code (docs/rules/security.md#s7). */
async function devices({ run, api }: Stay): Promise<Faults> {
  const { device } = run.anonymous
  const { deviceCode, userCode } = await device.start({})
  const { sameAddress } = await api.device.look({ body: { userCode } })
  await api.device.decide({ body: { userCode, agree: true } })
  const poll = () => device.poll({ body: { deviceCode } })
  const tokens = await poll(),
    signedIn = run.userWith({ access: tokens.access_token, refresh: tokens.refresh_token })
  const accounts = [await api.session.whoami({}), await signedIn.api.session.whoami({})]
  await signedIn.api.session.signOut({})
  return [
    expectSame('the device is at the same address', true, sameAddress),
    expectSame('the account of the device', accounts[0]?.account, accounts[1]?.account),
    isRefused('a code used twice', poll(), [40021, 40022]),
  ]
}

/** A server without identity providers; tests/server/identity/sso.test.ts has some. */
async function signOns({ run, api }: Stay): Promise<Faults> {
  const { sso } = run.anonymous
  const params = { provider: 'nowhere' }
  return [
    expectSame('the providers', 0, (await sso.providers({ query: {} })).length),
    isRefused('the start of an unknown provider', sso.start({ params }), 404),
    isRefused('its callback', sso.callback({ params, query: {} }), 404),
    isRefused(
      'an end of sessions by it',
      sso.backchannel({ params, body: { logout_token: 'none' } }),
      404,
    ),
    isRefused('a code of it', sso.enter({ params, body: { code: 'none' } }), 404),
    isRefused('a proof there', api.sso.prove({ params }), 404),
    isRefused('the code of it', api.sso.proven({ params, body: { code: 'none' } }), 404),
  ]
}

/** The rights of a role, saved as a whole; a stale save is refused. */
async function roles({ run, rows, api }: Stay): Promise<Faults> {
  const codes = [`entity:${rows.tag}:view`]
  const { id } = await ownRow(run, api, 'SYS_ROLE', `ROLE_${run.prefix.toUpperCase()}`)
  const { version } = await api.role.permissions({ params: { id } })
  const save = () =>
    api.role.savePermissions({ params: { id }, body: { version, codes, rules: [] } })
  const saved = await save(),
    after = await api.role.permissions({ params: { id } })
  const half = await api.role.checkScope({ body: { tag: rows.tag, expression: 'row.id ==' } })
  return [
    expectSame('codes of the role', codes, saved.codes),
    expectSame('codes as they are read', saved.codes, after.codes),
    isRefused('a stale save of a role', save(), 40900),
    must(half.fault !== null, 'role.checkScope: half an expression has no fault'),
  ]
}

/** Dictionary items under their own paths are the rows of their entity. */
async function dictionaries({ run, api }: Stay): Promise<Faults> {
  const { dictionary, dictionaryItem, entityData } = api,
    tag = 'SYS_DICT_ITEM',
    name = `${run.prefix}other`
  const config = await entityData.config({ params: { tag } })
  const body = { ...(await newValues(api, config, `${run.prefix}item`)) }
  const { id, version } = await dictionaryItem.create({ body })
  const updated = await dictionaryItem.update({ body: { id, version, name } })
  const row = await entityData.get({ params: { tag, id } })
  await readReplyText(await dictionaryItem.export({ body: { format: 'csv', queries: { name } } }))
  const { total } = await dictionaryItem.page({ body: { queries: { name } } })
  const { deleted } = await dictionaryItem.remove({ query: { ids: id } })
  await Promise.all([
    dictionary.codes({ query: { codes: 'gender' } }),
    dictionary.enums({ query: { codes: 'uiType' } }),
  ])
  return [
    expectSame('the item as a row', updated.name, row.name),
    expectSame('items found', 1, total),
    expectSame('items removed', 1, deleted),
  ]
}

/** A personal view: saved, chosen, removed. */
async function views({ run, rows }: Stay): Promise<Faults> {
  const { view } = (await run.helper('registrar')).api,
    { tag, name } = rows,
    params = { tag }
  const made = await view.create({
    params,
    body: { name: `${run.prefix}view`, scope: 'mine', sorts: [{ column: name, asc: true }] },
  })
  const opened = await view.open({ params, body: { opens: made.id } })
  await view.open({ params, body: { opens: 'shared' } })
  const { widths } = await view.keepWidths({ params, body: { widths: { [name]: 200 } } }),
    wide = (await view.list({ params })).widths[name]
  await view.keepWidths({ params, body: { widths: { [name]: made.widths[name] ?? null } } })
  const left = await view.remove({ params: { tag, id: made.id } }),
    listed = await view.list({ params })
  const idsOf = (data: typeof listed) => data.views.map(({ id }) => id)
  return [
    expectSame('what the list opens with', made.id, opened.opens),
    expectSame('the width of a column', [200, 200], [widths[name], wide]),
    expectSame('views after the removal', false, idsOf(left).includes(made.id)),
    expectSame('views as they are read', idsOf(left), idsOf(listed)),
  ]
}

/** Reads the calls of staff about students, payments and documents. */
/** Rows without a flow say so; tests/server/flows decide on rows that have one. */
async function flows({ rows, api: { flow } }: Stay): Promise<Faults> {
  const { tag } = rows,
    id = rows.idOf('03')
  const none = { tag, id, event: 'APPROVE', version: '0.1' }
  const { results } = await flow.decide({ body: { items: [none] } })
  const { records } = await flow.todo({ body: { mine: 'open', tag } })
  return [
    isRefused('the flow of a row without one', flow.read({ params: { tag, id } }), 404),
    isRefused(
      'a decision without a flow',
      flow.send({ params: { tag, id, event: 'APPROVE' }, body: { version: '0.1' } }),
      404,
    ),
    expectSame(
      'decisions made',
      [false],
      results.map(({ ok }) => ok),
    ),
    expectSame('cases that wait', [], records),
  ]
}

async function registry({ run, rows, api: admin, children, parents }: Stay): Promise<Faults> {
  const { api } = await run.helper('registrar'),
    params = { tag: rows.tag }
  const { id } = await admin.design.load({ params })
  await Promise.all([
    api.print.refunds({ query: {} }),
    api.print.discrepancies({ query: {} }),
    api.messages.mine({}),
    api.messages.choices({}),
    api.messages.choose({ body: { choices: [{ kind: 'flow', channel: 'mail', isOn: true }] } }),
    run.anonymous.student.school({ query: {} }),
    admin.design.page({ body: { pageSize: 5 } }),
    admin.design.revisions({ params }),
    admin.design.get({ params: { id } }),
  ])
  const linked = await children(),
    above = await parents()
  const field = linked.config.fields.find(choosesFrom(rows.tag))
  const form = await admin.entityData.lookupForm({
    body: { tag: linked.tag, fieldId: field?.id ?? '', searchKey: above.called('1') },
  })
  const found = (Array.isArray(form) ? form : (form as { records: unknown }).records) as Row[]
  const code = 'AAAAAAAAAAAAAAAAAAAA'
  const { status } = await run.anonymous.verify.check({ params: { code }, query: {} })
  return [
    expectSame(
      "a choice by the form's own call",
      [above.idOf('1')],
      found.map((row) => row.id),
    ),
    expectSame('a code nobody issued', 'unknown', status),
  ]
}

/** A record that is deleted when the run ends. */
async function ownRow(
  run: RunContext,
  api: Api,
  tag: string,
  text: string,
  given: Values = {},
): Promise<Row> {
  const config = await api.entityData.config({ params: { tag } })
  const row = await createRow(api, config, text, given)
  run.onClose(`${text} of ${tag}`, () => api.entityData.remove({ params: { tag, ids: row.id } }))
  return row
}

function readReplyText(reply: { readonly stream: ReadableStream<Uint8Array> }): Promise<string> {
  return new Response(reply.stream).text()
}
