import { Button } from '@blueprintjs/core'
import { Cross, Download } from '@blueprintjs/icons'
import { problemText } from '@jiaowu/api/problem'
import { printPreviewActors, type PrintSubject } from '@jiaowu/machines/print-preview/ports'
import { printPreviewMachine } from '@jiaowu/machines/print-preview/machine'
import { printPreviewView, type PrintPreviewView } from '@jiaowu/machines/print-preview/view'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import type { ActorRefFrom } from 'xstate'
import { useApi } from '../../app/api-context.ts'
import { useNotice } from '../../app/notice-context.ts'
import { useText } from '../../app/text-context.ts'
import { Can } from '../../app/can.tsx'
import { useMachineActor } from '../../fields/use-machine-actor.ts'
import { useView } from '../../app/use-view.ts'
import { decodeBase64 } from '../../ui/pdf/bytes-of.ts'
import { Failed, Loading } from '../../ui/resource/page-state.tsx'
import { printPorts } from '../../ports/print-ports.ts'

const PdfView = lazy(async () => ({ default: (await import('../../ui/pdf/pdf-view.tsx')).PdfView }))

interface Props {
  readonly subject: PrintSubject
  readonly onClosed: () => void
  /** False: the page around it downloads and closes. */
  readonly hasTools?: boolean
}

/**
 * A student's report as staff see it: loading, then the PDF or the server's error message;
 * download; close (docs/spec/2-student-service-and-designer.md §2, §4).
 */
export function PrintPreview({ subject, onClosed, hasTools = true }: Props) {
  const { api, saveFile } = useApi()
  const { t, locale } = useText()
  const { toast } = useNotice()
  const actor = useMachineActor(() => ({
    machine: printPreviewMachine.provide({
      actors: printPreviewActors(printPorts({ api, saveFile })),
    }),
    input: subject,
  }))
  useEffect(() => {
    const watching = [
      actor.on('saved', () => toast('success', t('printPage.saved'))),
      actor.on('closed', onClosed),
    ]
    return () => {
      for (const each of watching) each.unsubscribe()
    }
  }, [actor, toast, t, onClosed])
  const { step, pdf, problem, can } = useView(actor, printPreviewView)
  const data = useMemo(() => (pdf === null ? null : decodeBase64(pdf)), [pdf])
  const waiting = <Loading label={t('printPage.loading')} />
  const fault = problem === null ? null : problemText(locale, problem)
  return (
    <section className="jw-print" aria-label={t('printPage.title')}>
      {fault !== null && pdf !== null ? (
        <p className="jw-fault" role="alert">
          {fault}
        </p>
      ) : null}
      <div className="jw-print__page">
        {step === 'failed' && fault !== null ? (
          <Failed text={fault} onRetry={() => actor.send({ type: 'print.retry' })} />
        ) : data === null ? (
          waiting
        ) : (
          <Suspense fallback={waiting}>
            <PdfView data={data} name={t('printPage.title')} />
          </Suspense>
        )}
      </div>
      {hasTools ? <Foot actor={actor} step={step} can={can} /> : null}
    </section>
  )
}

function Foot({
  actor,
  step,
  can,
}: Pick<PrintPreviewView, 'step' | 'can'> & {
  readonly actor: Pick<ActorRefFrom<typeof printPreviewMachine>, 'send'>
}) {
  const { t } = useText()
  return (
    <footer className="jw-print__foot">
      <Can all={['print:download']}>
        <Button
          intent="primary"
          icon={<Download />}
          text={t('common.download')}
          loading={step === 'downloading'}
          disabled={!can.download}
          onClick={() => actor.send({ type: 'print.download' })}
        />
      </Can>
      <Button
        icon={<Cross />}
        text={t('common.close')}
        disabled={!can.close}
        onClick={() => actor.send({ type: 'print.close' })}
      />
    </footer>
  )
}
