import { group } from './group.ts'

// docs/spec/1-entity-console.md §4, §8; docs/spec/2-student-service-and-designer.md §2
export const entityTexts = group({
  'list.noSelection': ['未选择数据', 'No data selected'],
  'list.confirmDelete': ['确认删除？', 'Confirm delete?'],
  'list.deleteThese': ['删除 {n} 条{name}：{names}？', 'Delete {n} × {name}: {names}?'],
  'list.deleteMany': [
    '删除 {n} 条{name}：{names} 等？',
    'Delete {n} × {name}: {names} and others?',
  ],
  'list.toRecycleBin': [
    '删除后进入回收站，可以恢复。',
    ' They go to the recycle bin and can be restored.',
  ],
  'list.undo': ['撤销', 'Undo'],
  'list.undone': ['已撤销', 'Taken back'],
  'press.ask': ['让「{name}」{button}？', '{button}: “{name}”?'],
  'press.askChange': [
    '让「{name}」{button}？将修改：{consequence}',
    '{button}: “{name}”? This changes {consequence}',
  ],
  'press.askDelete': [
    '{button}「{name}」？该数据将被删除',
    '{button}: “{name}”? The record will be deleted',
  ],
  'press.done': ['操作完成', 'Done'],
  'documents.ofStudent': ['打印 / 下载', 'Print / download'],
  'documents.none': ['没有可打印的文件', 'There is no document to print'],
  'list.deleted': ['删除成功：{names}', 'Deleted: {names}'],
  'list.exported': ['导出完成：{names}', 'Exported: {names}'],
  'form.added': ['新增成功', 'Added successfully'],
  'form.modified': ['修改成功', 'Modified successfully'],
  'form.leave': ['内容尚未保存，确定离开吗？', 'Your changes are not saved. Leave anyway?'],
  'form.invalid': ['请检查标出的字段', 'Please check the marked fields'],
})
