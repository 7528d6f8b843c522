import { HTMLSelect, Switch } from '@blueprintjs/core'
import type { Button } from '@jiaowu/api/entity/definition/button'
import type { Row } from '@jiaowu/api/entity/values'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { Draft } from '@jiaowu/machines/designer/draft'
import type { ReactNode } from 'react'
import { useText } from '../../../../app/text-context.ts'
import { MenuIcon, menuIconNames } from '../../../../shell/navigation/menu-icons.tsx'
import { fieldChoices } from '../entity-sections.ts'
import { type Choice, withCurrent } from '../rows.ts'
import { TypedInput } from '../typed-input.tsx'
import { ActionsEditor } from './actions-editor.tsx'
import { ExpressionInput } from './expression-input.tsx'

interface Props {
  readonly button: Button
  readonly index: number
  readonly draft: Draft
  readonly entities: readonly Choice[]
  readonly samples: readonly Row[]
  readonly send: (edit: DesignerEdit) => void
}

interface LinesProps {
  readonly button: Button
  readonly onSet: (patch: Partial<Button>) => void
}

/** Attributes of one button. */
export function ButtonForm({ button, index, draft, entities, samples, send }: Props) {
  const { t } = useText()
  const onSet = (patch: Partial<Button>) => send({ type: 'button.set', index, patch })
  return (
    <>
      <NameLines button={button} onSet={onSet} />
      <IconLine button={button} onSet={onSet} />
      <PositionLines button={button} onSet={onSet} />
      <Line label={t('designer.button.condition')} path={buildButtonPath(button, 'positionExp')}>
        <ExpressionInput
          value={button.positionExp ?? ''}
          label={t('designer.button.condition')}
          hint={t('designer.button.conditionHint')}
          samples={samples}
          onCommit={(text) => onSet({ positionExp: text.trim() === '' ? null : text })}
        />
      </Line>
      <Line label={t('designer.button.confirm')} path={buildButtonPath(button, 'confirm')}>
        <TypedInput
          label={t('designer.button.confirm')}
          value={button.confirm ?? ''}
          onCommit={(confirm) => onSet({ confirm: confirm.trim() })}
        />
      </Line>
      <EventTypeLine button={button} onSet={onSet} />
      <div data-path={buildButtonPath(button, 'eventContent')}>
        <ContentEditor button={button} draft={draft} entities={entities} onSet={onSet} />
      </div>
    </>
  )
}

/** Path of an attribute in findings. */
function buildButtonPath({ code }: Button, attribute: keyof Button): string {
  return `buttons.${code}.${attribute}`
}

function Line({
  label,
  path,
  children,
}: {
  readonly label: string
  readonly path: string
  readonly children: ReactNode
}) {
  return (
    <div className="jw-cfg__row" data-path={path}>
      <span className="jw-cfg__label">{label}</span>
      <div className="jw-cfg__control">{children}</div>
    </div>
  )
}

function NameLines({ button, onSet }: LinesProps) {
  const { t } = useText()
  return (
    <>
      <Line label={t('designer.button.name')} path={buildButtonPath(button, 'name')}>
        <TypedInput
          label={t('designer.button.name')}
          value={button.name}
          onCommit={(name) => onSet({ name })}
        />
      </Line>
      <Line label={t('designer.button.nameEn')} path={buildButtonPath(button, 'nameEn')}>
        <TypedInput
          label={t('designer.button.nameEn')}
          value={button.nameEn ?? ''}
          onCommit={(nameEn) => onSet({ nameEn })}
        />
      </Line>
      <Line label={t('designer.button.code')} path={buildButtonPath(button, 'code')}>
        <TypedInput
          mono
          label={t('designer.button.code')}
          value={button.code}
          onCommit={(code) => onSet({ code: code.trim() })}
        />
      </Line>
    </>
  )
}

function IconLine({ button, onSet }: LinesProps) {
  const { t } = useText()
  const icons = menuIconNames.map((name) => ({ value: name, text: name }))
  return (
    <Line label={t('designer.button.icon')} path={buildButtonPath(button, 'icon')}>
      <span className="jw-cfg__icon">
        <MenuIcon name={button.icon} />
        <HTMLSelect
          fill
          aria-label={t('designer.button.icon')}
          value={button.icon ?? ''}
          onChange={(event) =>
            onSet({ icon: event.currentTarget.value === '' ? null : event.currentTarget.value })
          }
        >
          <option value="">{t('designer.none')}</option>
          {withCurrent(icons, button.icon ?? '').map(({ value }) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </HTMLSelect>
      </span>
    </Line>
  )
}

function PositionLines({ button, onSet }: LinesProps) {
  const { t } = useText()
  return (
    <>
      <Line label={t('designer.button.position')} path={buildButtonPath(button, 'position')}>
        <HTMLSelect
          fill
          aria-label={t('designer.button.position')}
          value={button.position}
          onChange={(event) =>
            onSet({ position: Number(event.currentTarget.value) as Button['position'] })
          }
        >
          {([1, 2, 3, 4] as const).map((position) => (
            <option key={position} value={position}>
              {t(`enum.buttonPosition.${position}`)}
            </option>
          ))}
        </HTMLSelect>
      </Line>
      <Line label={t('designer.button.status')} path={buildButtonPath(button, 'status')}>
        <Switch
          checked={button.status === 1}
          aria-label={t('designer.button.status')}
          onChange={(event) => onSet({ status: event.currentTarget.checked ? 1 : 0 })}
        />
      </Line>
    </>
  )
}

function EventTypeLine({ button, onSet }: LinesProps) {
  const { t } = useText()
  return (
    <Line label={t('designer.button.eventType')} path={buildButtonPath(button, 'eventType')}>
      <HTMLSelect
        fill
        aria-label={t('designer.button.eventType')}
        value={button.eventType}
        onChange={(event) =>
          onSet({
            eventType: Number(event.currentTarget.value) as 1 | 2,
            eventContent: event.currentTarget.value === '1' ? [] : '',
          })
        }
      >
        {([1, 2] as const).map((type) => (
          <option key={type} value={type}>
            {t(`designer.button.eventType.${type}`)}
          </option>
        ))}
      </HTMLSelect>
    </Line>
  )
}

function ContentEditor({
  button,
  draft,
  entities,
  onSet,
}: LinesProps & Pick<Props, 'draft' | 'entities'>) {
  const { t } = useText()
  // The server does not run SQL buttons (docs/rules/contract.md#definitions), but keeps their text.
  if (button.eventType === 2)
    return (
      <TypedInput
        mono
        lines={3}
        label={t('designer.button.sql')}
        value={typeof button.eventContent === 'string' ? button.eventContent : ''}
        onCommit={(eventContent) => onSet({ eventContent })}
      />
    )
  return (
    <ActionsEditor
      actions={Array.isArray(button.eventContent) ? button.eventContent : []}
      fields={fieldChoices(draft)}
      entities={entities}
      onChange={(actions) => onSet({ eventContent: [...actions] })}
    />
  )
}
