import { DialogBody } from '@blueprintjs/core'
import { problemText } from '@jiaowu/api/problem'
import { noticesActors, type Notice } from '@jiaowu/machines/notices/ports'
import { noticesMachine } from '@jiaowu/machines/notices/machine'
import { noticesView } from '@jiaowu/machines/notices/view'
import { lazy, Suspense } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useMachineActor } from '../../../fields/use-machine-actor.ts'
import { Rosette } from './emblem.tsx'
import { noticesPorts } from '../../../ports/student-ports.ts'
import { useView } from '../../../app/use-view.ts'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

const HtmlBody = lazy(async () => ({
  default: (await import('../../../ui/html-body.tsx')).HtmlBody,
}))

/**
 * Public notices beside the sign-in form; a notice opens in a dialog
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function NoticesPanel() {
  const { t, locale } = useText()
  const { api } = useApi()
  const actor = useMachineActor(() => ({
    machine: noticesMachine.provide({ actors: noticesActors(noticesPorts(api)) }),
    input: undefined,
  }))
  const { step, notices, open, problem, can } = useView(actor, noticesView)
  return (
    <aside className="jw-board" aria-label={t('studentPage.notices')}>
      <Rosette />
      <div className="jw-board__inner">
        <h2>{t('studentPage.notices')}</h2>
        {problem === null ? null : (
          <p className="jw-board__none" role="alert">
            {problemText(locale, problem)}{' '}
            {can.retry ? (
              <button
                type="button"
                className="jw-link"
                onClick={() => actor.send({ type: 'notices.retry' })}
              >
                {t('common.retry')}
              </button>
            ) : null}
          </p>
        )}
        {step === 'loading' ? (
          <p className="jw-board__none" role="status">
            {t('common.loading')}
          </p>
        ) : null}
        {step === 'list' && notices.length === 0 ? (
          <p className="jw-board__none">{t('studentPage.noNotices')}</p>
        ) : null}
        <ul className="jw-board__list">
          {notices.map(({ id, title, issueTime }) => (
            <li key={id}>
              <button type="button" onClick={() => actor.send({ type: 'notice.open', id })}>
                <time dateTime={issueTime.replace(' ', 'T')}>
                  <b>{issueTime.slice(8, 10)}</b>
                  <span>{issueTime.slice(0, 7).replace('-', '.')}</span>
                </time>
                <span className="jw-board__title">{title}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <NoticeDialog notice={open} onClose={() => actor.send({ type: 'notice.close' })} />
    </aside>
  )
}

/**
 * Title, issue time, publisher and text of one notice
 * (docs/spec/2-student-service-and-designer.md §2).
 */
function NoticeDialog({
  notice,
  onClose,
}: {
  readonly notice: Notice | null
  readonly onClose: () => void
}) {
  const { t } = useText()
  return (
    <Dialog
      isOpen={notice !== null}
      title={t('studentPage.notices')}
      onClose={onClose}
      className="jw-calm jw-notice"
    >
      <DialogBody>
        {notice === null ? null : (
          <article>
            <h2>{notice.title}</h2>
            <p className="jw-notice__meta">
              <span>{t('studentPage.issued', { time: notice.issueTime })}</span>
              {notice.publisher === '' ? null : (
                <span>{t('studentPage.publisher', { name: notice.publisher })}</span>
              )}
            </p>
            <Suspense fallback={<p role="status">{t('common.loading')}</p>}>
              <HtmlBody html={notice.content} />
            </Suspense>
          </article>
        )}
      </DialogBody>
    </Dialog>
  )
}
