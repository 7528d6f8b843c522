import type { NoticeChannel, NoticeKind } from '@jiaowu/api/contract/message'
import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<string, string | Date, string | Date>
type OptionalMoment = ColumnType<
  string | null,
  string | Date | null | undefined,
  string | Date | null
>

/** A notice to send by e-mail or SMS, once per receiver, event and channel. */
interface NoticeTaskRow {
  tenant_id: string
  id: string
  receiver_id: string
  event_key: string
  channel: Exclude<NoticeChannel, 'message'>
  /** Empty once it was sent, as is the content. */
  title: string
  content: string
  next_at: Moment
  leased_until: OptionalMoment
  /** Claims so far; the number of the claim is the token of its lease. */
  attempts: Generated<number>
  done_at: OptionalMoment
  failure: string | null
}
/** A person's choice; without a row the notice is sent. */
interface NoticeChoiceRow {
  tenant_id: string
  user_id: string
  kind: NoticeKind
  channel: NoticeChannel
  is_on: boolean
}

export interface NoticeTables {
  'sys.notice_task': NoticeTaskRow
  'sys.notice_choice': NoticeChoiceRow
}
