import type { Field } from '@jiaowu/api/entity/config'
import { t } from '@jiaowu/api/texts/index'
import { useSettings } from '../app/settings.ts'

/**
 * Error for a field kind that this page does not know, since it is older than the server
 * (docs/spec/1-entity-console.md §5).
 */
export function WrongType({ field }: { readonly field: Pick<Field, 'uiLabel'> }) {
  const { locale } = useSettings()
  return (
    <p
      className="jw-field__fault"
      role="alert"
    >{`${field.uiLabel}: ${t(locale, 'rule.formType')}`}</p>
  )
}
