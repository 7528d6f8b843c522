import { type Field, t } from '@jiaowu/api'
import { useSettings } from '../shell/context/settings.ts'

/** A field of a kind this page does not know: it was opened before the server learnt it (docs/spec/1-entity-console.md §5). */
export function WrongType({ field }: { readonly field: Pick<Field, 'uiLabel'> }) {
  const { locale } = useSettings()
  return (
    <p
      className="jw-field__fault"
      role="alert"
    >{`${field.uiLabel}: ${t(locale, 'rule.formType')}`}</p>
  )
}
