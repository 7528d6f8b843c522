import { problemText } from '@jiaowu/api/problem'
import type { ReportItem } from '@jiaowu/api/contract/student/student'
import { downloadActors } from '@jiaowu/machines/download/ports'
import {
  downloadCountdown,
  type DownloadView,
  downloadView,
  type PayFailure,
} from '@jiaowu/machines/download/view'
import { downloadMachine } from '@jiaowu/machines/download/machine'
import { useSelector } from '@xstate/react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { Failed, Loading } from '../../ui/resource/page-state.tsx'
import { MethodScreen } from './download/method-screen.tsx'
import { FailureDialog, ScanDialog } from './download/pay-dialogs.tsx'
import { downloadPorts, storedDownload } from '../../ports/student-ports.ts'
import { PreviewScreen } from './download/preview-screen.tsx'
import { ReportList } from './download/report-list.tsx'
import { StudentFrame } from './student-frame.tsx'
import { StudentRecord } from './download/student-record.tsx'
import { SuccessScreen } from './download/success-screen.tsx'
import { useSchool } from './sign-in/use-school.ts'
import { useStepHistory } from './use-step-history.ts'
import { useView } from '../../app/use-view.ts'

type Download = ActorRefFrom<typeof downloadMachine>
interface ScreenProps {
  readonly actor: Download
  readonly view: DownloadView
}

const failureTexts = {
  timedOut: ['studentPage.failedTitle', 'studentPage.payFailed'],
  closed: ['studentPage.failedTitle', 'studentPage.payFailed'],
  refunded: ['studentPage.refundedTitle', 'studentPage.refunded'],
  unmade: ['studentPage.unmadeTitle', 'studentPage.unmade'],
  unconfirmed: ['studentPage.beingCheckedTitle', 'studentPage.beingChecked'],
} as const satisfies Record<PayFailure, readonly [string, string]>

/**
 * Home page of students: self-service download (docs/spec/2-student-service-and-designer.md §2).
 * Signing out first closes an open order.
 */
export function StudentHome({ onSignOut }: { readonly onSignOut: () => void }) {
  const { t } = useText()
  const school = useSchool()
  const actor = useDownload(onSignOut)
  const view = useView(actor, downloadView)
  useStepHistory(actor)
  useEffect(() => {
    document.title = `${t('studentPage.service')} · ${t('app.title')}`
  }, [t])
  return (
    <StudentFrame
      at={view.indicator}
      {...(view.screen === 'list' && { page: 'download' as const })}
      onSignOut={() => actor.send({ type: 'session.end' })}
      school={school}
    >
      <Screen actor={actor} view={view} feeNotice={school?.feeNotice || t('studentPage.fee')} />
      <Popups actor={actor} view={view} isBrowserCode={school?.payDriver !== 'wechat'} />
    </StudentFrame>
  )
}

/** Actor of this page. It resumes the order that was open before a reload, if any. */
function useDownload(onEnded: () => void): Download {
  const { api, saveFile, user } = useApi()
  const { messageText, locale } = useText()
  const { toast } = useNotice()
  const actor = useMachineActor(() => ({
    machine: downloadMachine.provide({ actors: downloadActors(downloadPorts({ api, saveFile })) }),
    input: { account: user?.account ?? '', facts: storedDownload.read(), now: Date.now },
  }))
  // Subscribe before the actor starts: it emits its facts immediately.
  useLayoutEffect(() => {
    const subscriptions = [
      actor.on('facts', ({ facts }) => storedDownload.write(facts)),
      actor.on('toast', ({ tone, message, lasting }) =>
        toast(tone, messageText(message), { lasting }),
      ),
      actor.on('ended', onEnded),
    ]
    return () => {
      for (const each of subscriptions) each.unsubscribe()
    }
  }, [actor, toast, messageText, onEnded])
  // The server sends the names of faculty, major and reports in the user's language: reload after a
  // change of language.
  const loadedLocale = useRef(locale)
  useEffect(() => {
    if (loadedLocale.current !== locale) {
      loadedLocale.current = locale
      actor.send({ type: 'list.refresh' })
    }
  }, [actor, locale])
  return actor
}

function Screen({ actor, view, feeNotice }: ScreenProps & { readonly feeNotice: string }) {
  const { t, locale } = useText()
  const hasLeftList = useRef(false)
  useEffect(() => {
    if (view.screen !== 'list') hasLeftList.current = true
  }, [view.screen])
  const name = view.report?.reportName ?? ''
  const fault = view.problem === null ? null : problemText(locale, view.problem)
  switch (view.screen) {
    case 'list':
    case 'ended':
      return <List actor={actor} view={view} feeNotice={feeNotice} isBack={hasLeftList.current} />
    case 'preview':
      return (
        <PreviewScreen
          name={name}
          price={view.price}
          pdf={view.pdf}
          fault={fault}
          can={view.can}
          onConfirm={() => actor.send({ type: 'preview.confirm' })}
          onCancel={() => actor.send({ type: 'preview.cancel' })}
          onRetry={() => actor.send({ type: 'preview.retry' })}
        />
      )
    case 'saving':
      return (
        <section className="jw-sheet">
          <Loading label={t('studentPage.saving')} />
        </section>
      )
    case 'success':
      return <Success actor={actor} view={view} />
    default:
      return (
        <MethodScreen
          name={name}
          price={view.price ?? view.order?.amount ?? 0}
          ordering={view.screen === 'ordering'}
          can={view.can}
          fault={view.screen === 'method' ? fault : null}
          onChoose={(method) => actor.send({ type: 'pay.choose', method })}
          onBack={() => actor.send({ type: 'pay.back' })}
        />
      )
  }
}

function List({
  actor,
  view,
  feeNotice,
  isBack,
}: ScreenProps & { readonly feeNotice: string; readonly isBack: boolean }) {
  const { t, locale } = useText()
  const open = ({ id }: ReportItem) => actor.send({ type: 'report.open', reportId: id })
  return (
    <>
      {view.student === null ? null : <StudentRecord detail={view.student} />}
      {view.problem !== null && view.can.refresh ? (
        <section className="jw-sheet">
          <Failed
            text={problemText(locale, view.problem)}
            onRetry={() => actor.send({ type: 'list.refresh' })}
          />
        </section>
      ) : view.busy && view.reportCount === 0 ? (
        <section className="jw-sheet">
          <Loading label={t('common.loading')} />
        </section>
      ) : (
        <ReportList
          reports={view.reports}
          total={view.reportCount}
          filters={view.filters}
          busy={view.busy}
          feeNotice={feeNotice}
          isBack={isBack}
          onToggle={(filter) => actor.send({ type: 'filter.toggle', filter })}
          onDownload={open}
        />
      )}
    </>
  )
}

function Success({ actor, view }: ScreenProps) {
  return (
    <SuccessScreen
      name={view.report?.reportName ?? ''}
      secondsLeft={useSecondsLeft(actor)}
      onAgain={() => actor.send({ type: 'success.again' })}
      onHome={() => actor.send({ type: 'success.home' })}
    />
  )
}

/** Seconds left of the running countdown: of the payment, or of the return to the list. */
function useSecondsLeft(actor: Download): number {
  const countdown = useSelector(actor, downloadCountdown)
  return useSelector(countdown, (snapshot) => snapshot?.context.secondsLeft ?? 0)
}

/** Dialogs of the payment and of its failures. */
function Popups({ actor, view, isBrowserCode }: ScreenProps & { readonly isBrowserCode: boolean }) {
  const { t, locale } = useText()
  const secondsLeft = useSecondsLeft(actor)
  const [title, text] = failureTexts[view.failure ?? 'closed']
  const leave = () => actor.send({ type: 'failure.cancel' })
  const repay = view.can.repay
    ? { text: t('studentPage.repay'), run: () => actor.send({ type: 'failure.repay' }) }
    : view.can.check
      ? { text: t('studentPage.checkAgain'), run: () => actor.send({ type: 'failure.check' }) }
      : null
  return (
    <>
      <ScanDialog
        isOpen={view.screen === 'scanPay' || view.screen === 'closing'}
        codeUrl={view.order?.codeUrl ?? null}
        price={view.order?.amount ?? 0}
        secondsLeft={secondsLeft}
        closing={view.screen === 'closing'}
        isBrowserCode={isBrowserCode}
        fault={
          view.screen === 'scanPay' && view.problem !== null
            ? problemText(locale, view.problem)
            : null
        }
        onClose={() => actor.send({ type: 'pay.cancel' })}
      />
      <FailureDialog
        isOpen={view.screen === 'failed'}
        title={t(title)}
        text={`${view.failure === 'unmade' && view.problem !== null ? `${problemText(locale, view.problem)} ` : ''}${t(text)}`}
        next={repay}
        onCancel={leave}
        onClose={view.can.repay && repay !== null ? repay.run : leave}
      />
      <FailureDialog
        isOpen={view.screen === 'unsaved'}
        title={t('studentPage.saveFailedTitle')}
        text={`${view.problem === null ? '' : `${problemText(locale, view.problem)} `}${t('studentPage.saveFailed')}`}
        next={{ text: t('studentPage.again'), run: () => actor.send({ type: 'save.retry' }) }}
        onCancel={() => actor.send({ type: 'save.leave' })}
        onClose={() => actor.send({ type: 'save.leave' })}
      />
    </>
  )
}
