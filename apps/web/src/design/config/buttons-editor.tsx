import { Button as PushButton, HTMLSelect, Switch } from '@blueprintjs/core'
import { Add, ChevronDown, Trash } from '@blueprintjs/icons'
import type { Button, DefinitionFinding, Row } from '@jiaowu/api'
import type { DesignerEdit, Draft } from '@jiaowu/machines'
import { type ReactNode, useState } from 'react'
import { useApp } from '../../app/app-context.tsx'
import { MenuIcon, menuIconNames } from '../../shell/menu-icons.tsx'
import { ActionsEditor } from './actions-editor.tsx'
import { fieldChoices } from './entity-sections.ts'
import { ExpressionInput } from './expression-input.tsx'
import { type Choice, withCurrent } from './rows.ts'
import { TypedInput } from './typed-input.tsx'

interface Shared { readonly draft: Draft; readonly entities: readonly Choice[]; readonly samples: readonly Row[]; readonly findings: readonly DefinitionFinding[]; readonly send: (edit: DesignerEdit) => void }

const Line = ({ label, path, children }: { readonly label: string; readonly path: string; readonly children: ReactNode }) => <div className="jw-cfg__row" data-path={path}><span className="jw-cfg__label">{label}</span><div className="jw-cfg__control">{children}</div></div>

const Content = ({ button, draft, entities, onSet }: Pick<Shared, 'draft' | 'entities'> & { readonly button: Button; readonly onSet: (patch: Partial<Button>) => void }) => {
  const { t } = useApp()
  // SQL buttons are not run (contract §5): what is written in one is kept, and said to be idle.
  if (button.eventType === 2) return <TypedInput mono lines={3} label={t('designer.button.sql')} value={typeof button.eventContent === 'string' ? button.eventContent : ''} onCommit={(eventContent) => onSet({ eventContent })} />
  return <ActionsEditor actions={Array.isArray(button.eventContent) ? button.eventContent : []} fields={fieldChoices(draft)} entities={entities} onChange={(actions) => onSet({ eventContent: [...actions] })} />
}

const ButtonForm = ({ button, index, draft, entities, samples, send }: Omit<Shared, 'findings'> & { readonly button: Button; readonly index: number }) => {
  const { t } = useApp()
  const onSet = (patch: Partial<Button>) => send({ type: 'button.set', index, patch })
  const path = (part: string) => `buttons.${button.code}.${part}`
  return (
    <>
      <Line label={t('designer.button.name')} path={path('name')}><TypedInput label={t('designer.button.name')} value={button.name} onCommit={(name) => onSet({ name })} /></Line>
      <Line label={t('designer.button.nameEn')} path={path('nameEn')}><TypedInput label={t('designer.button.nameEn')} value={button.nameEn ?? ''} onCommit={(nameEn) => onSet({ nameEn })} /></Line>
      <Line label={t('designer.button.code')} path={path('code')}><TypedInput mono label={t('designer.button.code')} value={button.code} onCommit={(code) => onSet({ code: code.trim() })} /></Line>
      <Line label={t('designer.button.icon')} path={path('icon')}><span className="jw-cfg__icon"><MenuIcon name={button.icon} /><HTMLSelect fill aria-label={t('designer.button.icon')} value={button.icon ?? ''} onChange={(event) => onSet({ icon: event.currentTarget.value === '' ? null : event.currentTarget.value })}><option value="">{t('designer.none')}</option>{withCurrent(menuIconNames.map((name) => ({ value: name, text: name })), button.icon ?? '').map(({ value }) => <option key={value} value={value}>{value}</option>)}</HTMLSelect></span></Line>
      <Line label={t('designer.button.position')} path={path('position')}><HTMLSelect fill aria-label={t('designer.button.position')} value={button.position} onChange={(event) => onSet({ position: Number(event.currentTarget.value) as Button['position'] })}>{([1, 2, 3, 4] as const).map((position) => <option key={position} value={position}>{t(`enum.buttonPosition.${position}`)}</option>)}</HTMLSelect></Line>
      <Line label={t('designer.button.status')} path={path('status')}><Switch checked={button.status === 1} aria-label={t('designer.button.status')} onChange={(event) => onSet({ status: event.currentTarget.checked ? 1 : 0 })} /></Line>
      <Line label={t('designer.button.condition')} path={path('positionExp')}><ExpressionInput value={button.positionExp ?? ''} label={t('designer.button.condition')} hint={t('designer.button.conditionHint')} samples={samples} onCommit={(text) => onSet({ positionExp: text.trim() === '' ? null : text })} /></Line>
      <Line label={t('designer.button.eventType')} path={path('eventType')}><HTMLSelect fill aria-label={t('designer.button.eventType')} value={button.eventType} onChange={(event) => onSet({ eventType: Number(event.currentTarget.value) as 1 | 2, eventContent: event.currentTarget.value === '1' ? [] : '' })}>{([1, 2] as const).map((type) => <option key={type} value={type}>{t(`designer.button.eventType.${type}`)}</option>)}</HTMLSelect></Line>
      <div data-path={path('eventContent')}><Content button={button} draft={draft} entities={entities} onSet={onSet} /></div>
    </>
  )
}

/** The entity's own buttons: where they stand, when they show, what they do (console spec §3, contract §5). */
export const ButtonsEditor = ({ findings, ...props }: Shared) => {
  const { t } = useApp()
  const { draft, send } = props
  const [open, setOpen] = useState<number | null>(null)
  return (
    <div className="jw-cfg__list">
      {draft.buttons.map((button, index) => {
        const mine = findings.filter(({ path }) => path.startsWith(`buttons.${button.code}.`))
        return (
          <div key={index} className="jw-cfg__button">
            <div className="jw-cfg__head"><button type="button" aria-expanded={open === index} data-button={button.code} onClick={() => setOpen(open === index ? null : index)}><ChevronDown size={14} />{button.name}<small className="jw-muted">{t(`enum.buttonPosition.${button.position}`)}</small>{mine.length === 0 ? null : <span className={`jw-badge is-${mine.some(({ severity }) => severity === 'error') ? 'error' : 'warning'}`}>{mine.length}</span>}</button><PushButton variant="minimal" size="small" icon={<Trash size={14} />} aria-label={t('designer.remove')} title={t('designer.remove')} onClick={() => { setOpen(null); send({ type: 'button.remove', index }) }} /></div>
            {mine.length === 0 ? null : <div className="jw-cfg__fault">{mine.map((finding) => <div key={finding.id + finding.path}>{finding.msg}</div>)}</div>}
            {open === index ? <ButtonForm button={button} index={index} {...props} /> : null}
          </div>
        )
      })}
      <PushButton size="small" icon={<Add />} text={t('designer.button.add')} onClick={() => { setOpen(draft.buttons.length); send({ type: 'button.add' }) }} />
    </div>
  )
}
