import { Button, FormGroup } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { EntryEvent } from '@jiaowu/machines/entry-sheet/machine'
import type { EntryView } from '@jiaowu/machines/entry-sheet/view'
import { useId } from 'react'
import { findFieldSurface } from '../../fields/index.tsx'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { ActionDialog } from '../../ui/overlays/action-dialog.tsx'
import { Loading } from '../../ui/resource/page-state.tsx'
import { useLoad } from '../designer/definitions/use-load.ts'

interface Props {
  readonly config: EntityConfig
  readonly view: EntryView
  readonly send: (event: EntryEvent) => void
}

/** Adds the rows of a sheet, one for each record of a relation: the students of a class. */
export function EntryAdd({ config, view, send }: Props) {
  const { t } = useText()
  const { state, step } = view
  const add = config.entry?.add
  if (add === undefined || state === null || !state.can.add) return null
  const name = findFieldLabel(config, add.field)
  return (
    <>
      <Button
        icon={<Add />}
        text={t('entry.add', { name })}
        intent={state.total === 0 ? 'primary' : 'none'}
        title={view.isDirty ? t('entry.unsaved') : undefined}
        disabled={!view.can.add}
        onClick={() => send({ type: 'add.ask' })}
      />
      {step === 'adding' || step === 'growing' ? (
        <Choose name={name} view={view} send={send} tag={add.tag} from={add.from} />
      ) : null}
    </>
  )
}

interface ChooseProps extends Pick<Props, 'view' | 'send'> {
  readonly name: string
  readonly tag: string
  readonly from: readonly string[]
}

/** Values of the related entity, by which its records are chosen. */
function Choose({ name, view, send, tag, from }: ChooseProps) {
  const { t, messageText } = useText()
  const { api } = useApi()
  const form = useId()
  const { data, problem } = useLoad(tag, (signal) =>
    api.entityData.config({ params: { tag }, signal }),
  )
  const fields = from.flatMap(
    (attrName) => data?.fields.find((field) => field.attrName === attrName) ?? [],
  )
  return (
    <ActionDialog
      title={t('entry.add', { name })}
      intent="primary"
      action={t('entry.add', { name })}
      isActing={view.step === 'growing'}
      canSubmit={view.can.confirmAdd || view.step === 'growing'}
      problem={view.problem ?? problem}
      fault={view.fault === null ? null : messageText(view.fault)}
      onSubmit={() => send({ type: 'add.confirm' })}
      onClose={() => send({ type: 'ask.cancel' })}
    >
      {data === null ? (
        <Loading />
      ) : (
        <>
          <p>
            {t('entry.addHint', { name, labels: fields.map(({ uiLabel }) => uiLabel).join('、') })}
          </p>
          {fields.map((field) => {
            const { Control } = findFieldSurface(field.uiType)
            const { attrName, uiLabel } = field
            const id = `${form}-${attrName}`
            return (
              <FormGroup key={attrName} label={uiLabel} labelFor={id}>
                <Control
                  tag={tag}
                  field={field}
                  value={view.from[attrName] ?? null}
                  id={id}
                  disabled={view.step === 'growing'}
                  invalid={false}
                  describedBy={undefined}
                  values={view.from}
                  rowId={null}
                  onChange={(value) =>
                    send({ type: 'add.change', from: { ...view.from, [attrName]: value } })
                  }
                  onBlur={() => {}}
                />
              </FormGroup>
            )
          })}
        </>
      )}
    </ActionDialog>
  )
}

function findFieldLabel({ fields }: EntityConfig, name: string): string {
  return fields.find(({ attrName }) => attrName === name)?.uiLabel ?? name
}
