import { Button, FormGroup, InputGroup, Tag } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import type { FlowPeopleFound } from '@jiaowu/api/contract/entity/flow'
import { useId, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { useResource } from '../resource/use-resource.ts'

/** A person, or an office by the code of its role. */
export interface Chosen {
  readonly kind: 'person' | 'office'
  readonly key: string
  readonly name: string
}

/** Finds people of the school by name or account, and offices where they can be chosen too. */
export function PersonPicker({
  chosen,
  withOffices = false,
  onChange,
}: {
  readonly chosen: readonly Chosen[]
  readonly withOffices?: boolean
  readonly onChange: (chosen: readonly Chosen[]) => void
}) {
  const { t } = useText()
  const { api } = useApi()
  const id = useId()
  const [text, setText] = useState('')
  const found = useResource({
    query: null as string | null,
    load: (q: string | null, signal) => api.flow.people({ query: { q: q ?? '' }, signal }),
  })
  const look = () => found.show(text.trim())
  return (
    <FormGroup label={t(withOffices ? 'hand.personOrOffice' : 'hand.person')} labelFor={id}>
      <div className="jw-hand__chosen">
        {chosen.map((each) => (
          <Tag
            key={`${each.kind} ${each.key}`}
            minimal
            intent="primary"
            onRemove={() => onChange(chosen.filter((other) => other !== each))}
          >
            {each.name}
          </Tag>
        ))}
      </div>
      <InputGroup
        id={id}
        fill
        autoFocus
        value={text}
        placeholder={t('hand.search')}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          look()
        }}
        rightElement={
          <Button
            variant="minimal"
            icon={<Search />}
            aria-label={t('hand.find')}
            title={t('hand.find')}
            onClick={look}
          />
        }
      />
      {found.data === null ? null : (
        <ul className="jw-hand__found" aria-label={t('hand.found')} aria-busy={found.isLoading}>
          {listFound(found.data, withOffices).map((each) => (
            <li key={`${each.kind} ${each.key}`}>
              <Button
                variant="minimal"
                fill
                alignText="start"
                text={each.org === null ? each.name : `${each.name} · ${each.org}`}
                disabled={chosen.some(({ kind, key }) => kind === each.kind && key === each.key)}
                onClick={() =>
                  onChange([...chosen, { kind: each.kind, key: each.key, name: each.name }])
                }
              />
            </li>
          ))}
          {listFound(found.data, withOffices).length === 0 ? (
            <li className="jw-muted">{t('hand.nobody')}</li>
          ) : null}
        </ul>
      )}
    </FormGroup>
  )
}

function listFound(
  { people, roles }: FlowPeopleFound,
  withOffices: boolean,
): readonly (Chosen & { readonly org: string | null })[] {
  return [
    ...people.map(({ id, name, org }) => ({ kind: 'person' as const, key: id, name, org })),
    ...(withOffices
      ? roles.map(({ code, name }) => ({ kind: 'office' as const, key: code, name, org: null }))
      : []),
  ]
}
