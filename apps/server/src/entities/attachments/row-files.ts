import type { Context } from '../../model/context.ts'
import type { Right } from './file-rights.ts'

export const fileColumns = [
  'id',
  'tenant_id',
  'name',
  'size',
  'type',
  'biz_type',
  'biz_id',
  'create_time',
  'create_user',
  'storage_name',
] as const

/** The files of a row, as far as the right reaches. */
export function findRowFiles(context: Context, bizType: string, bizId: string, right: Right) {
  const found = selectAttachments(context)
    .where('biz_type', '=', bizType)
    .where('biz_id', '=', bizId)
  return (
    right === 'draft' ? found.where('create_user', '=', context.subject.userId) : found
  ).execute()
}

export function selectAttachments({ database: { kysely }, subject }: Context) {
  return kysely
    .selectFrom('sys.attachment')
    .select(fileColumns)
    .where('tenant_id', '=', subject.tenant)
    .where('deleted_at', 'is', null)
    .orderBy('id')
}
