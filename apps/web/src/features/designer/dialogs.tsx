import { Button, DialogBody, DialogFooter, Tag } from '@blueprintjs/core'
import type { Impact } from '@jiaowu/api/entity/definition/stored'
import type { DesignerEvent } from '@jiaowu/machines/designer/types'
import type { StalePartView } from '@jiaowu/machines/designer/view'
import { useText } from '../../app/text-context.ts'
import { SidesDialog } from '../../ui/overlays/sides-dialog.tsx'
import { listDifferences, partName, valueText } from './describe.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'

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
  const { t } = useText()
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

/** Another user saved the same definition: choose a side for each part that differs. */
export function StaleDesignDialog({
  parts,
  send,
}: {
  readonly parts: readonly StalePartView[]
  readonly send: Send
}) {
  const { t } = useText()
  return (
    <SidesDialog
      title={t('designer.stale.title')}
      text={t('designer.stale.text')}
      heading={t('designer.stale.part')}
      saveText={t('designer.stale.save')}
      className="jw-stale-design"
      rows={parts.map(({ part, mine, theirs, side }) => ({
        key: part,
        label: partName(part, t as Translate, (name) => t('designer.stale.field', { name })),
        mine: <SideText part={part} mine={mine} other={theirs} />,
        theirs: <SideText part={part} mine={theirs} other={mine} />,
        side,
      }))}
      onChoose={(part, side) => send({ type: 'stale.choose', part, side })}
      onSave={() => send({ type: 'stale.save' })}
      onCancel={() => send({ type: 'stale.cancel' })}
    />
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
  const { t } = useText()
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
  const lines = listDifferences(mine, other)
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
