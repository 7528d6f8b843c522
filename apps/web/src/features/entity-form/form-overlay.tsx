import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row, Values } from '@jiaowu/api/entity/values'
import { type ComponentType, type ReactNode, useCallback, useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { EntityForm } from './entity-form.tsx'
import type { ShownRecord } from './record/shown-record.ts'
import { formatRecordTitle } from './titled.ts'
import { closeByLayer, useFocusReturn } from '../../ui/overlays/layers.ts'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

export interface OpenForm {
  readonly id: string | null
  readonly viewOnly: boolean
  readonly defaults?: Values
  /** The record that a new one copies. */
  readonly copyOf?: string
}
interface Props {
  readonly config: EntityConfig
  readonly form: OpenForm | null
  readonly onClose: () => void
  readonly onSaved: (row: Row) => void
  /** A record was saved, and the form stays for another one. */
  readonly onNext?: (row: Row) => void
  readonly onEdit: ((id: string) => void) | null
  readonly onCopy?: ((id: string) => void) | null
  /** The surroundings of the details of a record, such as its tabs; absent: none. */
  readonly Frame?: ComponentType<FrameProps>
}
export interface FrameProps {
  readonly record: ShownRecord | null
  readonly onRestored: () => void
  readonly children: ReactNode
}

/**
 * The form over its list: a drawer of 60 %, or a dialog (docs/spec/1-entity-console.md §2,
 * docs/spec/2-student-service-and-designer.md §9). Closing asks the form first.
 */
export function FormOverlay({ form, ...props }: Props) {
  return form === null ? null : (
    <OpenOverlay
      key={form.viewOnly ? 'view' : (form.id ?? `new ${form.copyOf ?? ''}`)}
      form={form}
      {...props}
    />
  )
}

function OpenOverlay({
  config,
  form,
  onClose,
  onSaved,
  onNext,
  onEdit,
  onCopy = null,
  Frame,
}: Props & { readonly form: OpenForm }) {
  const { t } = useText()
  const [asked, setAsked] = useState(0)
  const [record, setRecord] = useState<string | null>(null)
  const [shown, setShown] = useState<ShownRecord | null>(null)
  const [changes, setChanges] = useState(0)
  const onTitle = useCallback((_name: string, name: string | null) => setRecord(name), [])
  useFocusReturn(true)
  const { id } = form
  const shared = {
    isOpen: true,
    guards: false,
    title: formatRecordTitle(t(titleKey(form), { name: config.name }), record),
    onClose: () => setAsked((n) => n + 1),
    canOutsideClickClose: form.viewOnly,
  }
  const isFramed = Frame !== undefined && form.viewOnly
  const details = (
    <EntityForm
      key={form.id ?? 'new'}
      tag={config.tag}
      id={form.id}
      viewOnly={form.viewOnly}
      {...(form.defaults === undefined ? {} : { defaults: form.defaults })}
      closeAsked={asked}
      copyOf={form.copyOf}
      onSaved={onSaved}
      onNext={onNext}
      onLeft={onClose}
      onTitle={onTitle}
      changes={changes}
      {...(isFramed ? { onRecord: setShown } : {})}
      onCopy={onCopy === null || id === null ? undefined : () => onCopy(id)}
      onEdit={onEdit === null || id === null ? undefined : () => onEdit(id)}
    />
  )
  const content =
    Frame === undefined || !form.viewOnly ? (
      details
    ) : (
      <Frame record={shown} onRestored={() => setChanges(changes + 1)}>
        {details}
      </Frame>
    )
  return config.options.openType === 'dialog' ? (
    <Dialog {...shared} onClose={closeByLayer(shared.onClose)} className="jw-form-dialog">
      {content}
    </Dialog>
  ) : (
    <Drawer {...shared} size="" className="jw-drawer">
      {content}
    </Drawer>
  )
}

function titleKey({ id, viewOnly }: OpenForm) {
  return viewOnly ? 'form.viewTitle' : id === null ? 'form.addTitle' : 'form.editTitle'
}
