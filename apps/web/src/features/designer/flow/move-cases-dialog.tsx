import {
  Button,
  DialogBody,
  DialogFooter,
  FormGroup,
  HTMLSelect,
  TextArea,
} from '@blueprintjs/core'
import type { FlowCasesMoved } from '@jiaowu/api/contract/design'
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { problemText } from '@jiaowu/api/problem'
import { useId, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { Unsaved } from '../../../app/unsaved.ts'
import { CancelButton } from '../../../ui/overlays/cancel-button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { chooseName } from './places.ts'

interface Props {
  readonly tag: string
  /** The flow as it is saved. */
  readonly flow: Flow
  readonly onClose: () => void
}

/**
 * Open cases that began with an earlier revision of the flow, by state: each state is led to one of the flow as it is
 * now, or its cases end as they began (docs/rules/contract.md#flows).
 */
export function MoveCasesDialog({ tag, flow, onClose }: Props) {
  const { t, locale } = useText()
  const { api } = useApi()
  const [map, setMap] = useState<Readonly<Record<string, string>>>({})
  const [note, setNote] = useState('')
  const page = useResource({
    query: tag,
    load: (_tag, signal) =>
      api.design.moveCases({ body: { tag, map: {}, note: null, preview: true }, signal }),
    actions: {
      move: (body: { map: Readonly<Record<string, string>>; note: string | null }) =>
        api.design.moveCases({ body: { tag, ...body, preview: false } }),
    },
  })
  const told = page.outputOf('move')
  const problem = page.failureOf('move')
  const count = (page.data?.states ?? []).reduce(
    (sum, { state, count: n }) => sum + (map[state] === undefined ? 0 : n),
    0,
  )
  return (
    <Dialog
      isOpen
      title={t('designer.move.title')}
      onClose={onClose}
      className="jw-calm"
      canOutsideClickClose={false}
    >
      <Unsaved when={told === null && (count > 0 || note !== '')} />
      <DialogBody>
        {problem === null ? null : (
          <p className="jw-fault" role="alert">
            {problemText(locale, problem)}
          </p>
        )}
        {told === null ? (
          <ResourceBody of={page}>
            {({ states }) =>
              states.length === 0 ? (
                <p>{t('designer.move.none')}</p>
              ) : (
                <>
                  <p className="jw-muted">{t('designer.move.hint')}</p>
                  <StateMap flow={flow} states={states} map={map} onChange={setMap} />
                  <Note note={note} onChange={setNote} />
                </>
              )
            }
          </ResourceBody>
        ) : (
          <Moved answer={told} />
        )}
      </DialogBody>
      <DialogFooter
        actions={
          told !== null || page.data?.states.length === 0 ? (
            <Button intent="primary" autoFocus text={t('common.ok')} onClick={onClose} />
          ) : (
            <>
              <CancelButton onClick={onClose} />
              <Button
                intent="primary"
                disabled={count === 0}
                loading={page.acting !== null}
                text={t('designer.move.act', { n: count })}
                onClick={() => page.start('move', { map, note: note.trim() === '' ? null : note })}
              />
            </>
          )
        }
      />
    </Dialog>
  )
}

/** A line for each state with open cases, and where they go on. */
function StateMap({
  flow,
  states,
  map,
  onChange,
}: Pick<Props, 'flow'> & {
  readonly states: FlowCasesMoved['states']
  readonly map: Readonly<Record<string, string>>
  readonly onChange: (map: Readonly<Record<string, string>>) => void
}) {
  const { t, locale } = useText()
  const targets = Object.entries(flow.states).filter(([, { final }]) => final !== true)
  const choose = (state: string, target: string) => {
    const { [state]: _before, ...others } = map
    onChange(target === '' ? others : { ...others, [state]: target })
  }
  return (
    <table className="jw-flow-table" aria-label={t('designer.move.title')}>
      <thead>
        <tr>
          <th>{t('designer.move.state')}</th>
          <th className="is-number">{t('designer.move.count')}</th>
          <th>{t('designer.move.to')}</th>
        </tr>
      </thead>
      <tbody>
        {states.map(({ state, name, count }) => (
          <tr key={state}>
            <th scope="row">{name}</th>
            <td className="is-number">{count}</td>
            <td>
              <HTMLSelect
                fill
                aria-label={t('designer.move.toOf', { name })}
                value={map[state] ?? ''}
                onChange={(event) => choose(state, event.currentTarget.value)}
              >
                <option value="">{t('designer.move.stays')}</option>
                {targets.map(([key, target]) => (
                  <option key={key} value={key}>
                    {chooseName(locale, target.name)}
                  </option>
                ))}
              </HTMLSelect>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Note({
  note,
  onChange,
}: {
  readonly note: string
  readonly onChange: (note: string) => void
}) {
  const { t } = useText()
  const id = useId()
  return (
    <FormGroup label={t('flowPanel.note')} labelFor={id}>
      <TextArea
        id={id}
        fill
        maxLength={2000}
        value={note}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </FormGroup>
  )
}

function Moved({ answer: { moved, refused } }: { readonly answer: FlowCasesMoved }) {
  const { t } = useText()
  return (
    <>
      <p role="status">{t('designer.move.done', { n: moved, refused: refused.length })}</p>
      {refused.length === 0 ? null : (
        <ul aria-label={t('designer.move.refused')}>
          {refused.map(({ id, msg }) => (
            <li key={id}>
              {id}: {msg}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
