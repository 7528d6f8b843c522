import type { EntityConfig } from '@jiaowu/api/entity/config'
import { type ComponentType, lazy, Suspense, useCallback, useRef, useState } from 'react'
import { type Texts, useText } from '../../app/text-context.ts'
import { RecordHistory } from '../history/record-buttons.tsx'
import { BulkEdit } from '../bulk/bulk-buttons.tsx'
import { ViewDialogs } from '../views/view-dialogs.tsx'
import { Ask } from '../../ui/overlays/ask.tsx'
import type { FrameProps } from '../entity-form/form-overlay.tsx'
import type { List } from './use-list.ts'

const FormOverlay = lazy(async () => ({
  default: (await import('../entity-form/form-overlay.tsx')).FormOverlay,
}))

const RecordFrame = lazy(async () => ({
  default: (await import('../entity-form/record/record-frame.tsx')).RecordFrame,
}))

/**
 * Shows the layers over a list: a form, a bulk change, dialogs of the saved views, a record's
 * history, the question before a delete.
 */
export function ListOverlays({
  list,
  config,
}: {
  readonly list: List
  readonly config: EntityConfig
}) {
  const { t, messageText } = useText()
  const { view, actor, views, forms, historyOf, setHistoryOf, bulk, setBulk } = list
  const Frame = useRecordFrame(list, config)
  const onBulkChanged = useCallback(() => {
    actor.send({ type: 'selection.clear' })
    actor.send({ type: 'row.saved' })
  }, [actor])
  return (
    <>
      {forms.form === null ? null : (
        <Suspense fallback={null}>
          <FormOverlay
            config={config}
            form={forms.form}
            onClose={forms.close}
            onSaved={() => {
              forms.close()
              actor.send({ type: 'row.saved' })
            }}
            onNext={() => actor.send({ type: 'row.saved' })}
            onEdit={forms.edit}
            onCopy={forms.copy}
            Frame={Frame}
          />
        </Suspense>
      )}
      <BulkEdit
        config={config}
        open={bulk}
        onClose={() => setBulk(null)}
        onChanged={onBulkChanged}
      />
      <ViewDialogs views={views.view} send={views.send} />
      <RecordHistory config={config} id={historyOf} onClose={() => setHistoryOf(null)} />
      <Ask
        isOpen={view.step === 'confirmingDelete'}
        text={deletionText(list, config, t)}
        confirmText={t('common.delete')}
        onAnswer={(yes) => actor.send({ type: yes ? 'delete.confirm' : 'delete.cancel' })}
      />
      <Ask
        isOpen={view.question !== null}
        text={view.question === null ? '' : messageText(view.question)}
        confirmText={view.askedButton ?? t('common.ok')}
        onAnswer={(yes) => actor.send({ type: yes ? 'press.confirm' : 'press.cancel' })}
      />
    </>
  )
}

/** The frame of a record that was opened from the list: its neighbours are those of the page. */
function useRecordFrame({ view, forms }: List, { tag }: EntityConfig): ComponentType<FrameProps> {
  const latest = useRef({ view, forms })
  latest.current = { view, forms }
  const [Frame] = useState(
    () =>
      function ListedRecord(props: FrameProps) {
        const { rows } = latest.current.view
        const { form, open } = latest.current.forms
        const at = rows.findIndex(({ id }) => id === form?.id)
        const openNeighbour = (to: number) => {
          const id = rows[to]?.id
          return id === undefined ? null : () => open({ id, viewOnly: true })
        }
        const steps =
          at < 0
            ? null
            : {
                at: at + 1,
                of: rows.length,
                onPrevious: openNeighbour(at - 1),
                onNext: openNeighbour(at + 1),
              }
        return <RecordFrame tag={tag} steps={steps} {...props} />
      },
  )
  return Frame
}

/** Names up to five of the rows, and says where they go. */
function deletionText(
  { view: { pendingDeletion, pendingNames } }: Pick<List, 'view'>,
  { name, recycles }: EntityConfig,
  t: Texts['t'],
): string {
  const names = pendingNames.join('、')
  const what =
    pendingDeletion > pendingNames.length
      ? t('list.deleteMany', { names, n: pendingDeletion, name })
      : t('list.deleteThese', { names, n: pendingDeletion, name })
  return recycles === true ? `${what}${t('list.toRecycleBin')}` : what
}
