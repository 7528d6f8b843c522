import { HTMLSelect } from '@blueprintjs/core'
import { termDictionary } from '@jiaowu/api/entity/list/periods'
import { useResource } from '../ui/resource/use-resource.ts'
import { useApi } from '../app/api-context.ts'
import { useText } from '../app/text-context.ts'
import { changeSettings, useSettings } from '../app/settings.ts'
import { useNarrow } from '../app/use-narrow.ts'

/** The current term, which lists filtered by 本学期 follow. Nothing in schools without terms. */
export function TermChoice() {
  const { t } = useText()
  const { api } = useApi()
  const { term } = useSettings()
  const narrow = useNarrow()
  const { data } = useResource({
    query: termDictionary,
    load: async (codes, signal) =>
      (await api.dictionary.codes({ query: { codes }, signal }))[termDictionary] ?? [],
  })
  if (narrow || data === null || data.length === 0) return null
  return (
    <HTMLSelect
      minimal
      className="jw-top__term"
      aria-label={t('term.current')}
      title={t('term.current')}
      value={term ?? ''}
      options={[
        { value: '', label: `${t('term.current')}：${t('term.byDate')}` },
        ...data.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        changeSettings({ term: value === '' ? null : value })
      }
    />
  )
}
