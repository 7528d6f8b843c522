import { Button } from '@blueprintjs/core'
import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import type { Field } from '@jiaowu/api/entity/config'
import type { WireValue } from '@jiaowu/api/entity/values'
import { staleCode } from '@jiaowu/api/problem'
import { useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useNotice } from '../../../app/notice-context.ts'
import { tellSaved, todoSignal } from '../../../app/saved-signal.ts'
import { useText } from '../../../app/text-context.ts'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { DecideDialog } from './decide-dialog.tsx'
import { FlowLog, FlowNow, FlowPlace } from './flow-progress.tsx'

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
  const { api } = useApi()
  const { toast } = useNotice()
  const [offer, setOffer] = useState<Offer | null>(null)
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
    },
    onDone: {
      send: ({ name }) => {
        setOffer(null)
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
    },
  })
  return (
    <section className="jw-group jw-flow" aria-label={t('flowPanel.title')}>
      <h4 className="jw-group__head">{t('flowPanel.title')}</h4>
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
            <FlowNow flow={flow} />
            <FlowLog flow={flow} />
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

function FlowOffers({
  flow,
  onChoose,
}: {
  readonly flow: FlowStateAnswer
  readonly onChoose: (offer: Offer) => void
}) {
  if (flow.can.length === 0) return null
  return (
    <div className="jw-flow__offers">
      {flow.can.map((offer, i) => (
        <Button
          key={offer.event}
          intent={i === 0 ? 'primary' : 'none'}
          text={offer.name}
          title={offer.event}
          onClick={() => onChoose(offer)}
        />
      ))}
    </div>
  )
}
