import { createHash } from 'node:crypto'
import type { AttachmentInfo } from '@jiaowu/api/contract/attachment'
import { limits } from '@jiaowu/api/limits'
import { t } from '@jiaowu/api/texts/index'
import { auditAlone } from '../../platform/audit/write.ts'
import { exactly } from '../../platform/database/tables/row-count.ts'
import type { Context, ServerHandlers } from '../../model/context.ts'
import { checkUpload, safeName } from '../../platform/files/check-upload.ts'
import { fileReply, zipReply } from '../../platform/files/reply.ts'
import { existing, rightTo } from '../attachments/file-rights.ts'
import { fileColumns, findRowFiles, selectAttachments } from '../attachments/row-files.ts'
import { storeFile } from '../../platform/files/store.ts'
import { createTicket, useTicket } from '../../platform/files/tickets.ts'
import { transact } from '../../platform/database/transact.ts'
import { isId } from '../../platform/id.ts'
import { forbidden, Invalid, notFound, Refusal } from '../../platform/refusal.ts'

/** Per user and day (docs/rules/security.md#f2). */
const quota = { files: 200, bytes: 500 * 1024 * 1024 }
const uploadAttachment: ServerHandlers['attachment']['upload'] = async (
  { body: { file, bizType, bizId } },
  context,
) => {
  const {
    subject,
    settings,
    newId,
    now,
    database: { kysely },
  } = context
  await rightTo(context, bizType, bizId, 'update')
  await assertQuota(context, bizType, bizId, file.size)
  const name = safeName(file instanceof File ? file.name : 'file')
  const { bytes, type } = await checkUpload(new Uint8Array(await file.arrayBuffer()), name)
  const storage = await storeFile(settings, 'attachments', subject.tenant, bytes)
  const values = {
    id: newId(),
    tenant_id: subject.tenant,
    org_id: subject.org?.id ?? null,
    create_user: subject.userId,
    update_user: subject.userId,
    create_time: now(),
    update_time: now(),
    biz_type: bizType,
    biz_id: bizId,
    name,
    size: String(bytes.byteLength),
    type,
    storage_name: storage,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
  return await transact(kysely, async (trx) => {
    const row = await trx
      .insertInto('sys.attachment')
      .values(values)
      .returning(fileColumns)
      .executeTakeFirstOrThrow()
    context.audit(
      {
        action: 'attachment.upload',
        object: bizType,
        objectId: bizId,
        result: 'ok',
        detail: { attachment: row.id, size: bytes.byteLength },
      },
      trx,
    )
    return toAttachmentInfo(row)
  })
}

export const attachmentHandlers: ServerHandlers['attachment'] = {
  upload: uploadAttachment,
  list: async ({ query: { bizType, bizId } }, context) =>
    (
      await findRowFiles(context, bizType, bizId, await rightTo(context, bizType, bizId, 'view'))
    ).map(toAttachmentInfo),
  remove: async ({ query: { ids } }, context) => {
    const found = await byIds(context, ids, 'update')
    await transact(context.database.kysely, async (trx) => {
      exactly(
        await trx
          .updateTable('sys.attachment')
          .set({ deleted_at: context.now(), update_user: context.subject.userId })
          .where('tenant_id', '=', context.subject.tenant)
          .where(
            'id',
            'in',
            found.map(({ id }) => id),
          )
          .where('deleted_at', 'is', null)
          .executeTakeFirst(),
        found.length,
        found.map(({ name }) => name).join(', '),
      )
      for (const { id, biz_type, biz_id } of found)
        context.audit(
          {
            action: 'attachment.delete',
            object: biz_type,
            objectId: biz_id,
            result: 'ok',
            detail: { attachment: id },
          },
          trx,
        )
    })
    return { deleted: found.length }
  },
  download: async ({ query: { ids } }, context) =>
    download(context, await byIds(context, ids, 'view')),
  downloadOfRow: async ({ query: { bizType, bizId } }, context) =>
    download(
      context,
      await findRowFiles(context, bizType, bizId, await rightTo(context, bizType, bizId, 'view')),
    ),
  ticket: async ({ body: { bizType, bizId, id } }, context) => {
    // A ticket shows every file of a row, also those of the office.
    if (context.subject.kind === 'student') throw forbidden()
    await rightTo(context, bizType, bizId, 'view')
    if (id !== undefined && !isId(id)) throw badId('id')
    return createTicket(context, bizType, bizId, id ?? null)
  },
  image: async ({ params: { bizType, bizId }, query: { token, id } }, context) => {
    const ticket = await useTicket(context, token, bizType, bizId)
    if (ticket === undefined) throw new Refusal(401, { key: 'attachment.ticketExpired' })
    const asked = ticket.attachment_id ?? id
    if (asked !== undefined && !isId(asked)) throw notFound()
    const found = context.database.kysely
      .selectFrom('sys.attachment')
      .select(fileColumns)
      .where('tenant_id', '=', ticket.tenant_id)
      .where('biz_type', '=', bizType)
      .where('biz_id', '=', bizId)
      .where('deleted_at', 'is', null)
      .orderBy('id')
    const file = await (
      asked === undefined ? found : found.where('id', '=', asked)
    ).executeTakeFirst()
    if (file === undefined) throw notFound()
    // The files of a row that is not saved yet are their uploader's alone.
    if (file.create_user !== ticket.user_id && !(await isSaved(context, file))) throw notFound()
    const isPicture = file.type.startsWith('image/')
    // Audit documents fetched by link like downloads (docs/rules/security.md#l1), but not pictures:
    // those of a list would fill the log.
    if (!isPicture)
      await auditAlone(
        context,
        {
          tenant: ticket.tenant_id,
          userId: ticket.user_id,
          account: null,
          ip: context.ip,
          traceId: context.traceId,
        },
        {
          action: 'attachment.download',
          object: bizType,
          objectId: bizId,
          result: 'ok',
          detail: { attachment: file.id },
        },
      )
    return fileReply(
      context.settings,
      file,
      isPicture || file.type === 'application/pdf' ? 'inline' : 'attachment',
    )
  },
}

async function isSaved(
  context: Context,
  file: { readonly tenant_id: string; readonly biz_type: string; readonly biz_id: string },
): Promise<boolean> {
  const entity = await context.registry.get(file.tenant_id, file.biz_type)
  const found = await existing(context, file.tenant_id, entity, [file.biz_id])
  return found?.has(file.biz_id) === true
}

function toAttachmentInfo(row: {
  id: string
  name: string
  size: string
  type: string
  biz_type: string
  biz_id: string
  create_time: string
  create_user: string | null
}): AttachmentInfo {
  return {
    id: row.id,
    name: row.name,
    size: Number(row.size),
    type: row.type,
    bizType: row.biz_type,
    bizId: row.biz_id,
    createTime: row.create_time,
    createUser: row.create_user,
  }
}

/** Files by id. @throws Refusal 404 when the caller may not access one of them */
async function byIds(context: Context, text: string, action: 'view' | 'update') {
  const ids = [...new Set(text.split(',').filter((id) => id !== ''))]
  if (ids.length === 0 || ids.length > limits.attachmentsPerRow || !ids.every(isId))
    throw badId('ids')
  const found = await selectAttachments(context).where('id', 'in', ids).execute()
  if (found.length !== ids.length) throw notFound()
  for (const { biz_type, biz_id, create_user } of found) {
    const right = await rightTo(context, biz_type, biz_id, 'view').catch((error: unknown) => {
      // Like a file that does not exist.
      throw error instanceof Refusal && error.status === 403 ? notFound() : error
    })
    if (action === 'update') await rightTo(context, biz_type, biz_id, 'update')
    if (right === 'draft' && create_user !== context.subject.userId) throw notFound()
  }
  return found
}

function badId(path: string) {
  return new Invalid([{ path, rule: 'value', message: { key: 'rule.value' } }])
}

async function download(
  context: Context,
  files: Awaited<ReturnType<typeof byIds>>,
): Promise<Response> {
  const [only, ...more] = files
  if (only === undefined) throw notFound()
  await context.auditAlone({
    action: 'attachment.download',
    object: only.biz_type,
    objectId: only.biz_id,
    result: 'ok',
    detail: { files: files.length },
  })
  return more.length === 0
    ? fileReply(context.settings, only)
    : zipReply(context.settings, files, t(context.locale, 'attachment.zipName'))
}

async function assertQuota(
  context: Context,
  bizType: string,
  bizId: string,
  bytes: number,
): Promise<void> {
  const { database, subject, now } = context
  database.assertWritable()
  const onRow = await database.kysely
    .selectFrom('sys.attachment')
    .select((e) => e.fn.countAll<string>().as('n'))
    .where('tenant_id', '=', subject.tenant)
    .where('biz_type', '=', bizType)
    .where('biz_id', '=', bizId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(onRow.n) >= limits.attachmentsPerRow)
    throw new Refusal(409, {
      key: 'attachment.tooManyOnRow',
      params: { max: limits.attachmentsPerRow },
    })
  const today = await database.kysely
    .selectFrom('sys.attachment')
    .select((e) => [e.fn.countAll<string>().as('n'), e.fn.sum<string | null>('size').as('bytes')])
    .where('tenant_id', '=', subject.tenant)
    .where('create_user', '=', subject.userId)
    .where('create_time', '>', new Date(now().getTime() - 86_400_000).toISOString())
    .executeTakeFirstOrThrow()
  if (Number(today.n) >= quota.files || Number(today.bytes ?? 0) + bytes > quota.bytes)
    throw new Refusal(429, { key: 'attachment.quota' })
}
