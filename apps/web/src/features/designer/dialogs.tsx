import { Button, Dialog, DialogBody, DialogFooter, Tag } from '@blueprintjs/core'
import type { Impact } from '@jiaowu/api'
import type { DesignerEvent, DesignSide, StalePartView } from '@jiaowu/machines'
import { useApp } from '../../shell/context/app-context.tsx'
import { differences, partName, valueText } from './describe.ts'

type Send = (event: DesignerEvent) => void
type Translate = Parameters<typeof partName>[1]

/** Asks before a save that removes something; lists what depends on it. */
export function ImpactDialog({
  impact,
  send,
}: {
  readonly impact: readonly Impact[]
  readonly send: Send
}) {
  const { t } = useApp()
  const cancel = () => send({ type: 'impact.cancel' })
  return (
    <Dialog
      isOpen
      title={t('designer.impact.title')}
      onClose={cancel}
      className="jw-impact"
      canOutsideClickClose={false}
    >
      <DialogBody>
        <ul>
          {impact
            .toSorted((a, b) => Number(b.breaks) - Number(a.breaks))
            .map((each, index) => (
              <li key={`${each.object}-${index}`}>
                <Tag minimal intent={each.breaks ? 'danger' : 'none'}>
                  {t(each.breaks ? 'designer.impact.breaks' : 'designer.impact.looks')}
                </Tag>
                <span>{each.msg}</span>
              </li>
            ))}
        </ul>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button autoFocus text={t('common.cancel')} onClick={cancel} />
            <Button
              intent="danger"
              text={t('designer.impact.save')}
              onClick={() => send({ type: 'impact.accept' })}
            />
          </>
        }
      />
    </Dialog>
  )
}

/**
 * Conflict after somebody else saved the same definition: the user chooses "mine" or "theirs" for
 * each part.
 */
export function StaleDesignDialog({
  parts,
  send,
}: {
  readonly parts: readonly StalePartView[]
  readonly send: Send
}) {
  const { t } = useApp()
  const cancel = () => send({ type: 'stale.cancel' })
  const choice = ({ part, mine, theirs, side: chosen }: StalePartView, side: DesignSide) => (
    <label>
      <input
        type="radio"
        name={`stale-${part}`}
        checked={chosen === side}
        onChange={() => send({ type: 'stale.choose', part, side })}
      />
      <SideText
        part={part}
        mine={side === 'mine' ? mine : theirs}
        other={side === 'mine' ? theirs : mine}
      />
    </label>
  )
  return (
    <Dialog
      isOpen
      title={t('designer.stale.title')}
      onClose={cancel}
      className="jw-stale jw-stale-design"
      canOutsideClickClose={false}
    >
      <DialogBody>
        <p>{t('designer.stale.text')}</p>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('designer.stale.part')}</th>
              <th scope="col">{t('form.mine')}</th>
              <th scope="col">{t('form.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {parts.map((part) => (
              <tr key={part.part} data-part={part.part}>
                <th scope="row">
                  {partName(part.part, t as Translate, (name) =>
                    t('designer.stale.field', { name }),
                  )}
                </th>
                <td>{choice(part, 'mine')}</td>
                <td>{choice(part, 'theirs')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('common.cancel')} onClick={cancel} />
            <Button
              intent="primary"
              text={t('designer.stale.save')}
              onClick={() => send({ type: 'stale.save' })}
            />
          </>
        }
      />
    </Dialog>
  )
}

/** One side of a part: only the values that differ from the other side. */
function SideText({
  part,
  mine,
  other,
}: {
  readonly part: string
  readonly mine: unknown
  readonly other: unknown
}) {
  const { t } = useApp()
  if (part.startsWith('field:') && mine === null) return <em>{t('designer.stale.absent')}</em>
  if (
    typeof mine !== 'object' ||
    mine === null ||
    Array.isArray(mine) ||
    typeof other !== 'object' ||
    other === null
  )
    return (
      <span>
        {part.startsWith('field:')
          ? valueText((mine as { uiLabel?: string } | null)?.uiLabel)
          : valueText(mine)}
      </span>
    )
  const lines = differences(mine, other)
  return (
    <span>
      {lines.map((line) => (
        <span key={line.part} className="jw-diff__line">
          <small>{partName(line.part, t as Translate, (name) => name)}</small> {line.left}
        </span>
      ))}
    </span>
  )
}
