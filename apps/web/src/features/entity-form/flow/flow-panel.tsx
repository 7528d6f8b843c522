import { Button } from '@blueprintjs/core'
import { Print } from '@blueprintjs/icons'
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import type { Field } from '@jiaowu/api/entity/config'
import type { WireValue } from '@jiaowu/api/entity/values'
import { staleCode } from '@jiaowu/api/problem'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { tellSaved, todoSignal } from '../../../app/saved-signal.ts'
import { useText } from '../../../app/text-context.ts'
import { FlowLog, FlowNow, FlowPlace } from '../../../ui/flow/flow-progress.tsx'
import { HandDialog } from '../../../ui/flow/hand-dialog.tsx'
import type { HandAct } from '../../../ui/flow/use-handing.ts'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { useFailureToast } from '../../../ui/use-failure-toast.ts'
import { DecideDialog } from './decide-dialog.tsx'
import { FlowDocuments } from './flow-documents.tsx'

type Offer = FlowStateAnswer['can'][number]
interface Decision {
  readonly event: string
  readonly version: string
  readonly note?: string
  readonly fields?: Readonly<Record<string, WireValue>>
}
interface Props {
  readonly tag: string
  readonly rowId: string
  /** Version of the row: another one is another state of the flow. */
  readonly version: string
  readonly fields: readonly Field[]
  /** The row has changed. */
  readonly onDecided: () => void
}

/** The flow of a record: where it is, what the user may do, and what happened (docs/rules/contract.md#flows). */
export function FlowPanel({ tag, rowId, version, fields, onDecided }: Props) {
  const { t } = useText()
  const [offer, setOffer] = useState<Offer | null>(null)
  const page = useFlow({ tag, rowId, version }, () => {
    setOffer(null)
    onDecided()
  })
  return (
    <section className="jw-group jw-flow" aria-label={t('flowPanel.title')}>
      <FlowHead
        isPrinting={page.acting === 'print'}
        canPrint={page.acting === null}
        onPrint={() => page.start('print')}
      />
      <ResourceBody of={page}>
        {(flow) => (
          <>
            <FlowPlace flow={flow} />
            <FlowOffers
              flow={flow}
              onChoose={(chosen) => {
                page.dismiss('send')
                setOffer(chosen)
              }}
            />
            <FlowHands flow={flow} tag={tag} rowId={rowId} onDone={page.reload} />
            <FlowNow flow={flow} />
            <FlowLog flow={flow} />
            <FlowDocuments
              documents={flow.documents ?? []}
              onOpen={(number) => page.start('download', number)}
            />
            {offer === null ? null : (
              <DecideDialog
                tag={tag}
                offer={offer}
                fields={fields}
                isActing={page.acting !== null}
                problem={page.failureOf('send')}
                onSubmit={(given) =>
                  page.start('send', { event: offer.event, version: flow.version, ...given })
                }
                onClose={() => setOffer(null)}
              />
            )}
          </>
        )}
      </ResourceBody>
    </section>
  )
}

/** The flow of the record, and the calls that the panel makes. */
function useFlow(
  { tag, rowId, version }: Pick<Props, 'tag' | 'rowId' | 'version'>,
  onDecided: () => void,
) {
  const { t } = useText()
  const { api, saveFile } = useApi()
  const { toast } = useNotice()
  const tellFailure = useFailureToast()
  const params = { tag, id: rowId }
  const page = useResource({
    query: { tag, rowId, version },
    load: (_query, signal) => api.flow.read({ params, signal }),
    actions: {
      send: ({ event, ...body }: Decision) =>
        api.flow.send({
          params: { ...params, event },
          body: { ...body, fields: body.fields ?? {} },
        }),
      download: async (number: string) =>
        saveFile(await api.paper.download({ params: { ...params, number } })),
      print: async () => saveFile(await api.paper.print({ params })),
    },
    onDone: {
      send: ({ name }) => {
        toast('success', t('flowPanel.done', { state: name }))
        tellSaved(todoSignal)
        tellSaved(tag)
        onDecided()
      },
    },
    onFailed: {
      send: ({ code }) => {
        if (code === staleCode) page.reload()
      },
      download: tellFailure,
      print: tellFailure,
    },
  })
  return page
}

function FlowHead({
  isPrinting,
  canPrint,
  onPrint,
}: {
  readonly isPrinting: boolean
  readonly canPrint: boolean
  readonly onPrint: () => void
}) {
  const { t } = useText()
  return (
    <h4 className="jw-group__head">
      {t('flowPanel.title')}
      <Button
        variant="minimal"
        size="small"
        icon={<Print size={14} />}
        text={t('flowPanel.print')}
        title={t('flowPanel.printHow')}
        loading={isPrinting}
        disabled={!canPrint}
        onClick={onPrint}
      />
    </h4>
  )
}

function FlowOffers({
  flow,
  onChoose,
}: {
  readonly flow: FlowStateAnswer
  readonly onChoose: (offer: Offer) => void
}) {
  const { t } = useText()
  if (flow.can.length === 0) return null
  return (
    <div className="jw-flow__offers" role="group" aria-label={t('flowPanel.offers')}>
      {flow.can.map((offer, i) => (
        <Button
          key={offer.event}
          intent={offer.isRefusal === true ? 'danger' : i === 0 ? 'primary' : 'none'}
          text={
            offer.for === undefined
              ? offer.name
              : `${offer.name}（${t('hand.for', { name: offer.for.name })}）`
          }
          title={offer.event}
          onClick={() => onChoose(offer)}
        />
      ))}
    </div>
  )
}

/** Acts besides deciding: to give the task away, to add somebody, to send copies. */
function FlowHands({
  flow: { tasks, copy },
  tag,
  rowId,
  onDone,
}: Pick<Props, 'tag' | 'rowId'> & {
  readonly flow: FlowStateAnswer
  readonly onDone: () => void
}) {
  const { t } = useText()
  const [chosen, setChosen] = useState<HandAct | null>(null)
  const acts: readonly HandAct[] = [
    ...(tasks.some(({ transfer }) => transfer) ? (['transfer'] as const) : []),
    ...(tasks.some(({ add }) => add.length > 0) ? (['add'] as const) : []),
    ...(copy ? (['copy'] as const) : []),
  ]
  if (acts.length === 0) return null
  return (
    <div className="jw-flow__offers">
      {acts.map((act) => (
        <Button
          key={act}
          variant="minimal"
          size="small"
          text={t(`hand.${act}`)}
          onClick={() => setChosen(act)}
        />
      ))}
      {chosen === null ? null : (
        <HandDialog
          tag={tag}
          id={rowId}
          act={chosen}
          onDone={() => {
            setChosen(null)
            tellSaved(todoSignal)
            onDone()
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  )
}
