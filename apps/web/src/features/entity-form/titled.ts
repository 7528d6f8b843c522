/** A title such as 客户详情, with the record's name where it has one: `客户详情 · Ann Lee`. */
export function formatRecordTitle(title: string, recordName: string | null): string {
  return recordName === null ? title : `${title} · ${recordName}`
}
