import { Button, Checkbox } from '@blueprintjs/core'
import { Add } from '@blueprintjs/icons'
import type { FlowTerm, FlowWho } from '@jiaowu/api/entity/definition/flow'
import { type FlowPeople, parsePeople } from '@jiaowu/machines/flow/people'
import { useText } from '../../../app/text-context.ts'
import { ChoiceSelect } from '../config/choice-select.tsx'
import { RoleInput } from './flow-start.tsx'
import { RemoveButton } from './remove-button.tsx'
import type { FlowSources } from './use-flow-sources.ts'

interface Props {
  readonly who: FlowWho
  readonly sources: FlowSources
  readonly onChange: (who: FlowWho) => void
}
const mostNeeded = 9

/** The people of an event: any of some, one for each, or so many of them. */
export function WhoEditor({ who, sources, onChange }: Props) {
  const { t } = useText()
  const people: FlowPeople = parsePeople(who) ?? {
    terms: [],
    need: 'any',
    others: who.includes('others'),
  }
  const { terms, need, others } = people
  const put = (patch: Partial<FlowPeople>) => onChange(buildWho({ ...people, ...patch }))
  const needs = ['any', 'all', ...Array.from({ length: mostNeeded - 1 }, (_none, i) => i + 2)]
  return (
    <fieldset className="jw-flow-editor__set">
      <legend>{t('designer.flow.who')}</legend>
      <TermsEditor terms={terms} sources={sources} onChange={(next) => put({ terms: next })} />
      <ChoiceSelect
        label={t('designer.flow.need')}
        value={String(need)}
        items={needs.map((each) => ({
          value: String(each),
          text:
            each === 'any'
              ? t('designer.flow.need.any')
              : each === 'all'
                ? t('designer.flow.need.all')
                : t('designer.flow.need.n', { n: each }),
        }))}
        onPick={(next) => put({ need: next === 'any' || next === 'all' ? next : Number(next) })}
      />
      <Checkbox
        checked={others}
        label={t('designer.flow.others')}
        onChange={() => put({ others: !others })}
      />
    </fieldset>
  )
}

/** People by role, as the applicant, or by a field; at least one. */
export function TermsEditor({
  label = '',
  terms,
  sources,
  onChange,
}: {
  /** In front of the names of the controls, where several lists stand together. */
  readonly label?: string
  readonly terms: readonly FlowTerm[]
  readonly sources: FlowSources
  readonly onChange: (terms: readonly FlowTerm[]) => void
}) {
  const { t } = useText()
  const before = label === '' ? '' : `${label}: `
  return (
    <>
      {terms.map((term, at) => (
        <TermEditor
          // Terms have no name of their own.
          key={`${String(at)}`}
          label={`${before}${t('designer.flow.term', { n: at + 1 })}`}
          term={term}
          sources={sources}
          onChange={(next) => onChange(terms.with(at, next))}
          onRemove={terms.length < 2 ? null : () => onChange(terms.filter((_each, i) => i !== at))}
        />
      ))}
      <Button
        size="small"
        icon={<Add />}
        text={t('designer.flow.term.add')}
        aria-label={`${before}${t('designer.flow.term.add')}`}
        onClick={() => onChange([...terms, { role: firstRole(sources) }])}
      />
    </>
  )
}

function firstRole({ roles }: FlowSources): string {
  return roles[0]?.value ?? 'ROLE'
}

function buildWho({ terms, need, others }: FlowPeople): FlowWho {
  const given = [...terms]
  return [
    ...(need === 'any' ? given : [need === 'all' ? { all: given } : { n: need, of: given }]),
    ...(others ? (['others'] as const) : []),
  ]
}

function TermEditor({
  label,
  term,
  sources,
  onChange,
  onRemove,
}: {
  readonly label: string
  readonly term: FlowTerm
  readonly sources: FlowSources
  readonly onChange: (term: FlowTerm) => void
  readonly onRemove: (() => void) | null
}) {
  const { t } = useText()
  const { relations } = sources
  const kind = 'role' in term ? 'role' : 'person' in term ? 'person' : 'applicant'
  const reads = relations.map(({ value, text }) => ({ value: `row.${value}`, text }))
  const kinds = (['role', 'applicant', 'person'] as const).filter(
    (each) => each !== 'person' || reads.length > 0 || kind === 'person',
  )
  return (
    <div className="jw-flow-editor__term" role="group" aria-label={label}>
      <ChoiceSelect
        label={label}
        value={kind}
        items={kinds.map((each) => ({ value: each, text: t(`designer.flow.term.${each}`) }))}
        onPick={(next) =>
          onChange(
            next === 'role'
              ? { role: firstRole(sources) }
              : next === 'person'
                ? { person: reads[0]?.value ?? 'row.person' }
                : { applicant: true },
          )
        }
      />
      {'role' in term ? (
        <>
          <RoleInput
            label={`${label}: ${t('designer.flow.term.role')}`}
            role={term.role}
            roles={sources.roles}
            onPick={(role) => {
              if (role !== '') onChange({ ...term, role })
            }}
          />
          {reads.length === 0 && term.within === undefined ? null : (
            <ChoiceSelect
              label={`${label}: ${t('designer.flow.within')}`}
              value={term.within ?? ''}
              items={[{ value: '', text: t('designer.flow.withinNone') }, ...reads]}
              onPick={(within) =>
                onChange(within === '' ? { role: term.role } : { role: term.role, within })
              }
            />
          )}
        </>
      ) : 'person' in term ? (
        <ChoiceSelect
          label={`${label}: ${t('designer.flow.term.person')}`}
          value={term.person}
          items={reads}
          onPick={(person) => onChange({ person })}
        />
      ) : null}
      {onRemove === null ? null : <RemoveButton label={label} onRemove={onRemove} />}
    </div>
  )
}
