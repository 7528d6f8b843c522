import type { EntityConfig } from '@jiaowu/api/entity/config'
import { lazy, Suspense, useCallback } from 'react'
import { type Texts, useText } from '../../app/text-context.ts'
import { RecordHistory } from '../history/record-buttons.tsx'
import { BulkEdit } from '../bulk/bulk-buttons.tsx'
import { ViewDialogs } from '../views/view-dialogs.tsx'
import { Ask } from '../../ui/overlays/ask.tsx'
import type { List } from './use-list.ts'

const FormOverlay = lazy(async () => ({
  default: (await import('../entity-form/form-overlay.tsx')).FormOverlay,
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
            onEdit={forms.edit}
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
