import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useEffect } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { FlowLog, FlowNow, FlowPlace } from '../../ui/flow/flow-progress.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ResourceBody } from '../../ui/resource/resource-body.tsx'
import { useResource } from '../../ui/resource/use-resource.ts'

/** A case that the user got a copy of: its state, the people it waits for, and what happened. Nothing of the record. */
export function CopyDialog({
  id,
  title,
  onRead,
  onClose,
}: {
  readonly id: string
  readonly title: string
  /** The copy is read now. */
  readonly onRead: () => void
  readonly onClose: () => void
}) {
  const { t } = useText()
  const { api } = useApi()
  const page = useResource({
    query: { id },
    load: (_query, signal) => api.flow.openCopy({ params: { id }, signal }),
  })
  const isRead = page.data !== null
  useEffect(() => {
    if (isRead) onRead()
    // Once for each copy, whatever its list renders.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isRead])
  return (
    <Dialog isOpen title={title} onClose={onClose} className="jw-calm jw-dialog--narrow">
      <DialogBody>
        <ResourceBody of={page}>
          {({ entity, by, at, note, flow }) => (
            <>
              <p className="jw-muted">
                {[entity, by === null ? null : t('hand.by', { name: by }), at]
                  .filter((part) => part !== null)
                  .join(' · ')}
              </p>
              {note === null ? null : <q>{note}</q>}
              <FlowPlace flow={flow} />
              <FlowNow flow={flow} />
              <FlowLog flow={flow} />
            </>
          )}
        </ResourceBody>
      </DialogBody>
      <DialogFooter actions={<Button intent="primary" text={t('common.ok')} onClick={onClose} />} />
    </Dialog>
  )
}
