import { defaultTenant } from '@jiaowu/api/limits'
import type { Page } from '@jiaowu/api/entity/list/page'
import type { SchoolInfo } from '@jiaowu/api/contract/student/student'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../model/context.ts'
import { localTime } from '../model/fields/local-time.ts'
import { cleanHtml } from '../entities/write/values/sanitize.ts'
import { readSchoolSettings } from '../platform/settings/school-settings.ts'

const mostNotices = 1_000 // docs/rules/security.md#h11
const shown = [
  'SCHOOL_NAME',
  'SCHOOL_SITE',
  'REGISTRAR_SITE',
  'CONTACT_ADDRESS',
  'FEE_NOTICE',
] as const
const published = '0' // docs/spec/2-student-service-and-designer.md §7

/** The school and its fees from SYS_PARAM; in English from the parameters ending in _EN, where set. */
export async function schoolInfo(
  { database: { kysely }, locale, settings }: Context,
  tenant = defaultTenant,
): Promise<SchoolInfo> {
  const values = await readSchoolSettings(
    kysely,
    tenant,
    shown.flatMap((code) => [code, `${code}_EN`] as const),
  )
  const of = (code: (typeof shown)[number]) =>
    (locale === 'en' ? values[`${code}_EN`] : '') || values[code]
  return {
    schoolName: of('SCHOOL_NAME'),
    schoolSite: of('SCHOOL_SITE'),
    registrarSite: of('REGISTRAR_SITE'),
    contactAddress: of('CONTACT_ADDRESS'),
    feeNotice: of('FEE_NOTICE') || t(locale, 'student.feeNotice'),
    payDriver: settings.payDriver,
  }
}

/** Published notices, newest first. Their HTML is sanitised again on output (docs/rules/security.md#i8). */
export async function publicNotices({ database: { kysely }, locale }: Context): Promise<Page> {
  const rows = await kysely
    .selectFrom('sys.notice as n')
    .leftJoin('sys.app_user as u', (join) =>
      join.onRef('u.tenant_id', '=', 'n.tenant_id').onRef('u.id', '=', 'n.create_user'),
    )
    .select(['n.id', 'n.notice_title', 'n.issue_time', 'n.notice_content', 'u.name as publisher'])
    .where('n.tenant_id', '=', defaultTenant)
    .where('n.notice_status', '=', published)
    .where('n.deleted_at', 'is', null)
    .orderBy('n.issue_time', (o) => o.desc().nullsLast())
    .orderBy('n.id', 'desc')
    .limit(mostNotices)
    .execute()
  const status = [{ id: published, name: locale === 'en' ? 'Published' : '已发布' }]
  const records = rows.map(({ id, notice_title, issue_time, notice_content, publisher }) => ({
    id,
    noticeTitle: notice_title,
    issueTime: issue_time === null ? null : localTime(new Date(issue_time)),
    noticeContent: cleanHtml(notice_content ?? ''),
    noticeStatus: status,
    createUser: publisher === null ? [] : [{ id: '', name: publisher }],
  }))
  return { records, total: records.length, size: -1, current: 1 }
}
