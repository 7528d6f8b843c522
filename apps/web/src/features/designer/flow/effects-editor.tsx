import { Button, Checkbox, HTMLSelect } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import { type FlowEffect, flowTemplates } from '@jiaowu/api/entity/definition/flow'
import { listSets } from '@jiaowu/machines/flow/parts'
import { useText } from '../../../app/text-context.ts'
import { ChoiceSelect } from '../config/choice-select.tsx'
import { withCurrent } from '../config/rows.ts'
import { TypedInput } from '../config/typed-input.tsx'
import { RemoveButton } from './remove-button.tsx'
import type { FlowSources } from './use-flow-sources.ts'
import { TermsEditor } from './who-editor.tsx'

const kinds = ['set', 'update', 'create', 'notify', 'copy', 'document'] as const
type Kind = (typeof kinds)[number]
type Sets = Readonly<Record<string, string>>

interface Props {
  readonly effects: readonly FlowEffect[]
  readonly sources: FlowSources
  readonly onChange: (effects: readonly FlowEffect[]) => void
}

/** Effects of an event: fields of the row that it sets, rows that it updates or creates. */
export function EffectsEditor({ effects, sources, onChange }: Props) {
  const { t } = useText()
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.effects')}</legend>
      {effects.map((effect, at) => (
        <EffectEditor
          // Effects have no name of their own.
          key={`${String(at)}`}
          label={t('designer.flow.effect', { n: at + 1 })}
          effect={effect}
          sources={sources}
          onChange={(next) => onChange(effects.with(at, next))}
          onRemove={() => onChange(effects.filter((_each, i) => i !== at))}
        />
      ))}
      <Button
        size="small"
        icon={<Add />}
        text={t('designer.flow.effect.add')}
        onClick={() => onChange([...effects, buildEffect('set', sources, {})])}
      />
    </fieldset>
  )
}

export function findEffectKind(effect: FlowEffect): Kind | null {
  return kinds.find((kind) => Object.hasOwn(effect, kind)) ?? null
}

function buildEffect(kind: Kind, sources: FlowSources, known: Sets): FlowEffect {
  const { openFields, relations, documents } = sources
  const set = Object.keys(known).length > 0 ? known : { [openFields[0]?.value ?? 'field']: "''" }
  const who = [{ applicant: true as const }]
  const built: { readonly [K in Kind]: FlowEffect } = {
    set: { set },
    update: { update: { relation: relations[0]?.value ?? 'relation', set } },
    create: { create: { tag: 'TAG', set } },
    notify: { notify: { who, template: flowTemplates[0] } },
    copy: { copy: { who } },
    document: { document: documents[0]?.value ?? 'NOTICE' },
  }
  return built[kind]
}

function withSets(effect: FlowEffect, set: Sets): FlowEffect {
  return 'set' in effect
    ? { set }
    : 'update' in effect
      ? { update: { ...effect.update, set } }
      : 'create' in effect
        ? { create: { ...effect.create, set } }
        : effect
}

interface EffectProps {
  readonly label: string
  readonly effect: FlowEffect
  readonly sources: FlowSources
  readonly onChange: (effect: FlowEffect) => void
  readonly onRemove: () => void
}

function EffectEditor({ label, effect, sources, onChange, onRemove }: EffectProps) {
  const { t } = useText()
  const kind = findEffectKind(effect)
  const hasSets = kind === 'set' || kind === 'update' || kind === 'create'
  return (
    <div className="jw-flow-editor__effect" role="group" aria-label={label}>
      <div className="jw-flow-editor__term">
        {kind === null ? (
          <span>{t('designer.flow.effect.other', { json: JSON.stringify(effect) })}</span>
        ) : (
          <HTMLSelect
            fill
            aria-label={label}
            value={kind}
            onChange={(event) => {
              const next = kinds.find((each) => each === event.currentTarget.value) ?? 'set'
              onChange(buildEffect(next, sources, listSets(effect)))
            }}
          >
            {kinds.map((each) => (
              <option key={each} value={each}>
                {t(`designer.flow.effect.${each}`)}
              </option>
            ))}
          </HTMLSelect>
        )}
        <RemoveButton label={label} onRemove={onRemove} />
      </div>
      <EffectTarget label={label} effect={effect} sources={sources} onChange={onChange} />
      <ToldPeople label={label} effect={effect} sources={sources} onChange={onChange} />
      {!hasSets ? null : (
        <SetsEditor
          label={label}
          sets={listSets(effect)}
          fields={kind === 'set' ? sources.openFields : []}
          onChange={(set) => onChange(withSets(effect, set))}
        />
      )}
    </div>
  )
}

/** The relation, or the entity, that the effect writes to. */
function EffectTarget({ label, effect, sources, onChange }: Omit<EffectProps, 'onRemove'>) {
  const { t } = useText()
  if ('update' in effect) {
    const { relation } = effect.update
    return (
      <HTMLSelect
        fill
        aria-label={`${label}: ${t('designer.flow.relation')}`}
        value={relation}
        onChange={(event) =>
          onChange({ update: { ...effect.update, relation: event.currentTarget.value } })
        }
      >
        {withCurrent(sources.relations, relation).map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </HTMLSelect>
    )
  }
  if ('document' in effect)
    return (
      <ChoiceSelect
        label={`${label}: ${t('designer.flow.document')}`}
        value={effect.document}
        items={sources.documents}
        onPick={(document) => onChange({ document })}
      />
    )
  return 'create' in effect ? (
    <TypedInput
      mono
      label={`${label}: ${t('designer.flow.entity')}`}
      value={effect.create.tag}
      onCommit={(tag) => onChange({ create: { ...effect.create, tag: tag.trim() } })}
    />
  ) : null
}

/** The people of a notice or a copy, and the text of a notice. */
function ToldPeople({ label, effect, sources, onChange }: Omit<EffectProps, 'onRemove'>) {
  const { t } = useText()
  if ('copy' in effect)
    return (
      <TermsEditor
        label={label}
        terms={effect.copy.who}
        sources={sources}
        onChange={(who) => onChange({ copy: { who: [...who] } })}
      />
    )
  if (!('notify' in effect)) return null
  const { who, template } = effect.notify
  return (
    <>
      <TypedInput
        mono
        label={`${label}: ${t('designer.flow.template')}`}
        value={template}
        suggestions={flowTemplates.map((value) => ({
          value,
          text: t(`designer.flow.template.${value}`),
        }))}
        onCommit={(text) => {
          if (text.trim() !== '') onChange({ notify: { who, template: text.trim() } })
        }}
      />
      <Checkbox
        checked={who === 'asked'}
        label={t('designer.flow.asked')}
        onChange={() =>
          onChange({ notify: { template, who: who === 'asked' ? [{ applicant: true }] : 'asked' } })
        }
      />
      {who === 'asked' ? null : (
        <TermsEditor
          label={label}
          terms={who}
          sources={sources}
          onChange={(next) => onChange({ notify: { template, who: [...next] } })}
        />
      )}
    </>
  )
}

function SetsEditor({
  label,
  sets,
  fields,
  onChange,
}: {
  readonly label: string
  readonly sets: Sets
  /** Fields to choose from; their names are typed where there are none. */
  readonly fields: FlowSources['openFields']
  readonly onChange: (sets: Sets) => void
}) {
  const { t } = useText()
  const entries = Object.entries(sets)
  const put = (next: readonly (readonly [string, string])[]) => onChange(Object.fromEntries(next))
  const free = fields.find(({ value }) => !Object.hasOwn(sets, value))?.value
  const name = free ?? findFreeName(sets)
  return (
    <>
      {entries.map(([attrName, source], at) => {
        const fieldLabel = `${label}: ${t('designer.flow.setField')} ${String(at + 1)}`
        const rename = (to: string) => {
          if (to !== '' && !Object.hasOwn(sets, to)) put(entries.with(at, [to, source]))
        }
        return (
          <div key={attrName} className="jw-flow-editor__term">
            {fields.length === 0 ? (
              <TypedInput mono label={fieldLabel} value={attrName} onCommit={rename} />
            ) : (
              <HTMLSelect
                fill
                aria-label={fieldLabel}
                value={attrName}
                onChange={(event) => rename(event.currentTarget.value)}
              >
                {withCurrent(fields, attrName).map(({ value, text }) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </HTMLSelect>
            )}
            <TypedInput
              mono
              label={`${label}: ${t('designer.flow.setValue')} ${String(at + 1)}`}
              value={source}
              onCommit={(text) => put(entries.with(at, [attrName, text]))}
            />
            {entries.length < 2 ? null : (
              <RemoveButton
                label={fieldLabel}
                onRemove={() => put(entries.filter((_each, i) => i !== at))}
              />
            )}
          </div>
        )
      })}
      <Button
        size="small"
        variant="minimal"
        icon={<Add />}
        text={t('designer.flow.setAdd')}
        onClick={() => put([...entries, [name, "''"]])}
      />
    </>
  )
}

function findFreeName(sets: Sets): string {
  for (let n = Object.keys(sets).length + 1; ; n += 1)
    if (!Object.hasOwn(sets, `field${String(n)}`)) return `field${String(n)}`
}
