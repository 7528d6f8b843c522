import { newValues } from '../rows/rows.ts'
import { refuses, same } from '../server-driver.ts'
import type { Fixtures } from '../server-part.ts'

type Stop = (fixtures: Fixtures) => Promise<readonly string[]>
/** The smallest PNG: one pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const ids: Stop = async ({ run }) => {
  const { api } = await run.helper('admin'),
    given = [await api.session.generateId({}), await api.session.generateId({})]
  return given.every((id) => /^\d{1,19}$/.test(id)) && given[0] !== given[1]
    ? []
    : [`generateId: ${given.join(', then ')}`]
}

/** The right to a file is the right to its row (docs/rules/contract.md#files). */
const attachments: Stop = async ({ run, listed }) => {
  const rows = await listed(),
    { api } = await run.helper('admin'),
    owner = { bizType: rows.tag, bizId: rows.idOf('02') }
  const text = await api.attachment.upload({
    body: { file: new File(['conformance'], 'a.txt', { type: 'text/plain' }), ...owner },
  })
  const one = await api.attachment.download({ query: { ids: text.id } }),
    said = await read(one)
  await api.attachment.remove({ query: { ids: text.id } })
  const file = await api.attachment.upload({
    body: { file: new File([dot], 'dot.png', { type: 'image/png' }), ...owner },
  })
  const listedIds = (await api.attachment.list({ query: owner })).map(({ id }) => id)
  await read(await api.attachment.downloadOfRow({ query: owner }))
  const { ticket } = await api.attachment.ticket({ body: owner })
  const image = await run.anonymous.attachment.image({ params: owner, query: { token: ticket } })
  await read(image)
  return [
    ...same('attachments of the row', [file.id], listedIds),
    ...same('the attachment', ['a.txt', 'conformance'], [one.name, said]),
    ...same('type of the image', 'image/png', image.type),
    ...(await refuses(
      'an image with a made-up ticket',
      run.anonymous.attachment.image({ params: owner, query: { token: '0'.repeat(43) } }),
      401,
      403,
      404,
    )),
    ...same(
      'attachments removed',
      1,
      (await api.attachment.remove({ query: { ids: file.id } })).deleted,
    ),
    ...(await refuses(
      'a removed attachment',
      api.attachment.download({ query: { ids: file.id } }),
      404,
    )),
  ]
}

/** The history of a row, and restoring deleted ones. */
const histories: Stop = async ({ run, listed }) => {
  const rows = await listed(),
    { api } = await run.helper('admin'),
    { tag, name } = rows,
    id = rows.idOf('03')
  const lines = same(
    'row of the history',
    id,
    (await api.history.of({ params: { tag, id } })).row.id,
  )
  if (rows.config.recycles !== true) return lines
  await rows.remove(['03'])
  const found = (
    await api.history.recycled({ params: { tag }, body: { pageSize: 50 } })
  ).records.some((row) => row.id === id)
  const { restored } = await api.history.restore({ params: { tag, ids: id } })
  const back = await api.entityData.get({ params: { tag, id } })
  await api.entityData.remove({ params: { tag, ids: id } })
  await rows.ensure()
  return [
    ...lines,
    ...(found ? [] : ['history.recycled: the deleted row is not in it']),
    ...same('rows restored', 1, restored),
    ...same('the restored row', rows.called('03'), back[name]),
  ]
}

/** A new user gets a password, must change it, and signs in with their own. */
const accounts: Stop = async ({ run }) => {
  const { api } = await run.helper('admin'),
    tag = 'SYS_USER',
    mine = `Own-${run.prefix}-2026`
  const config = await api.entityData.config({ params: { tag } }),
    secret = config.fields.find(({ uiType }) => uiType === 'password')
  const { id } = await api.entityData.create({
    params: { tag },
    body: {
      ...(await newValues(
        api,
        config,
        `${run.prefix}user`,
        secret === undefined ? {} : { [secret.attrName]: `First-${run.prefix}-2026` },
      )),
    },
  })
  run.onClose('an account', () => api.entityData.remove({ params: { tag, ids: id } }))
  const { account, password } = await api.account.resetPassword({ params: { id } })
  const enter = (secret: string) =>
    run.anonymous.session.signIn({
      body: { grant_type: 'password', username: account, password: secret },
    })
  const first = await enter(password),
    they = run.userWith({ access: first.access_token, refresh: first.refresh_token })
  await they.api.session.changePassword({ body: { oldPassword: password, newPassword: mine } })
  const second = await enter(mine)
  return [
    ...same(
      'mustChangePassword',
      [true, false],
      [first.userInfo.mustChangePassword, second.userInfo.mustChangePassword],
    ),
    ...(await refuses('the old password', enter(password), 400)),
  ]
}

/** The rights of a role, saved as a whole; a stale save is refused. */
const roles: Stop = async ({ run, listed }) => {
  const { api } = await run.helper('admin'),
    tag = 'SYS_ROLE',
    rows = await listed(),
    code = `entity:${rows.tag}:view`
  const { id } = await api.entityData.create({
    params: { tag },
    body: {
      ...(await newValues(
        api,
        await api.entityData.config({ params: { tag } }),
        `ROLE_${run.prefix.toUpperCase()}`,
      )),
    },
  })
  run.onClose('a role', () => api.entityData.remove({ params: { tag, ids: id } }))
  const before = await api.role.permissions({ params: { id } })
  const save = () =>
    api.role.savePermissions({
      params: { id },
      body: { version: before.version, codes: [code], rules: [] },
    })
  const saved = await save(),
    after = await api.role.permissions({ params: { id } })
  const half = await api.role.checkScope({ body: { tag: rows.tag, expression: 'row.id ==' } })
  return [
    ...same('codes of the role', [code], saved.codes),
    ...same('codes as they are read', saved.codes, after.codes),
    ...(await refuses('a stale save of a role', save(), 40900)),
    ...(half.fault === null ? ['role.checkScope: half an expression has no fault'] : []),
  ]
}

/** Dictionary items under their own paths are the rows of their entity. */
const dictionaries: Stop = async ({ run }) => {
  const { api } = await run.helper('admin'),
    tag = 'SYS_DICT_ITEM'
  const body = await newValues(
    api,
    await api.entityData.config({ params: { tag } }),
    `${run.prefix}item`,
  )
  const made = await api.dictionaryItem.create({ body: { ...body } })
  const updated = await api.dictionaryItem.update({
    body: { id: made.id, version: made.version, name: `${run.prefix}other` },
  })
  const same1 = same(
    'the item as a row',
    updated.name,
    (await api.entityData.get({ params: { tag, id: made.id } })).name,
  )
  await read(
    await api.dictionaryItem.export({
      body: { format: 'csv', queries: { name: `${run.prefix}other` } },
    }),
  )
  const { total } = await api.dictionaryItem.page({
    body: { queries: { name: `${run.prefix}other` } },
  })
  const { deleted } = await api.dictionaryItem.remove({ query: { ids: made.id } })
  await Promise.all([
    api.dictionary.codes({ query: { codes: 'gender' } }),
    api.dictionary.enums({ query: { codes: 'uiType' } }),
  ])
  return [...same1, ...same('items found', 1, total), ...same('items removed', 1, deleted)]
}

/** A personal view: saved, chosen, removed. */
const views: Stop = async ({ run, listed }) => {
  const rows = await listed(),
    { api } = await run.helper('registrar'),
    params = { tag: rows.tag }
  const made = await api.view.create({
    params,
    body: { name: `${run.prefix}view`, scope: 'mine', sorts: [{ column: rows.name, asc: true }] },
  })
  const opened = await api.view.open({ params, body: { opens: made.id } })
  await api.view.open({ params, body: { opens: 'shared' } })
  const { widths } = await api.view.keepWidths({ params, body: { widths: { [rows.name]: 200 } } }),
    wide = (await api.view.list({ params })).widths[rows.name]
  await api.view.keepWidths({
    params,
    body: { widths: { [rows.name]: made.widths[rows.name] ?? null } },
  })
  const left = await api.view.remove({ params: { ...params, id: made.id } }),
    listedNow = await api.view.list({ params })
  return [
    ...same('what the list opens with', made.id, opened.opens),
    ...same('the width of a column', [200, 200], [widths[rows.name], wide]),
    ...same(
      'views after the removal',
      false,
      left.views.some(({ id }) => id === made.id),
    ),
    ...same(
      'views as they are read',
      left.views.map(({ id }) => id),
      listedNow.views.map(({ id }) => id),
    ),
  ]
}

/** What staff read about students, payments and documents. */
const registry: Stop = async ({ run, listed, children, parents }) => {
  const rows = await listed(),
    { api } = await run.helper('registrar'),
    admin = (await run.helper('admin')).api
  await Promise.all([
    api.print.refunds({ query: {} }),
    api.print.discrepancies({ query: {} }),
    api.messages.mine({}),
    run.anonymous.student.school({ query: {} }),
  ])
  await Promise.all([
    admin.design.page({ body: { pageSize: 5 } }),
    admin.design.revisions({ params: { tag: rows.tag } }),
    admin.design
      .load({ params: { tag: rows.tag } })
      .then(({ id }) => admin.design.get({ params: { id } })),
  ])
  const linked = await children(),
    field = linked.config.fields.find(
      ({ dictValue }) => dictValue?.startsWith(`${rows.tag}.`) === true,
    ),
    above = await parents()
  const form = await admin.entityData.lookupForm({
    body: { tag: linked.tag, fieldId: field?.id ?? '', searchKey: above.called('1') },
  })
  const found = Array.isArray(form)
    ? form
    : (form as { records: readonly { id: string }[] }).records
  return [
    ...same(
      "a choice by the form's own call",
      [above.idOf('1')],
      found.map(({ id }: { readonly id: string }) => id),
    ),
    ...same(
      'a code nobody issued',
      'unknown',
      (await run.anonymous.verify.check({ params: { code: 'AAAAAAAAAAAAAAAAAAAA' }, query: {} }))
        .status,
    ),
  ]
}

const stops = {
  ids,
  attachments,
  histories,
  accounts,
  roles,
  dictionaries,
  views,
  registry,
} as const satisfies Readonly<Record<string, Stop>>

/** Calls that no path needs, on rows of this run; returns a line per fault. */
export async function tour(fixtures: Fixtures): Promise<string[]> {
  await (await fixtures.listed()).ensure()
  const lines: string[] = []
  for (const [name, stop] of Object.entries(stops))
    lines.push(
      ...(await stop(fixtures).catch((error: unknown) => [String(error)])).map(
        (line) => `${name}: ${line}`,
      ),
    )
  return [...lines, ...fixtures.run.wire.takeFaults()]
}

function read(reply: { readonly stream: ReadableStream<Uint8Array> }) {
  return new Response(reply.stream).text()
}
