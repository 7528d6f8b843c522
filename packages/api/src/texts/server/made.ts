import { group } from '../group.ts'

/** Tables that are made in the product, of a sheet or by a plan. */
export const madeTexts = group({
  'made.noSheet': ['文件中没有工作表「{sheet}」', 'The file has no sheet “{sheet}”'],
  'made.column': ['{letter} 列', 'Column {letter}'],
  'made.misfit.number': [
    '{n} 个值不是数字（{values}），因此按文本保存',
    '{n} values are no numbers ({values}), so it is a text',
  ],
  'made.misfit.date': [
    '{n} 个值不是日期（{values}），因此按文本保存',
    '{n} values are no dates ({values}), so it is a text',
  ],
  'made.misfit.datetime': [
    '{n} 个值不是时间（{values}），因此按文本保存',
    '{n} values are no times ({values}), so it is a text',
  ],
  'made.nearly': [
    '只有 {found} 个值在「{name}」中，因此未作为关系',
    'Only {found} values are in “{name}”, so it is no relation',
  ],
  'made.left': [
    '合计、备注等 {n} 行不导入（第 {rows} 行）',
    '{n} rows of totals and notes are not brought in (rows {rows})',
  ],
  'made.otherSheets': [
    '另有工作表：{names}；建好后可在列表中用「导入」加入',
    'More sheets: {names}; import them in the list afterwards',
  ],
  'made.noTarget': [
    '「{label}」不能关联 {tag}：没有这个实体、您不能查看它，或它的一行由多列标识',
    '“{label}” cannot refer to {tag}: there is no such entity, you may not see it, or several columns name its rows',
  ],
  'made.noChoices': ['「{label}」没有选项', '“{label}” has no choices'],
  'made.tableTaken': ['表 {table} 已存在', 'The table {table} exists'],
  'made.columnTaken': [
    '列名 {column} 已使用或由系统保留',
    'The column {column} is taken or reserved',
  ],
  'made.locked': [
    '其他操作正在使用表 {table}，3 秒内没有轮到；什么都没有改变，请稍后再试',
    'Others are using the table {table}, and three seconds were not enough; nothing was changed, try again later',
  ],
  'made.noRight': [
    '数据库账号不能修改 {table}，请管理员执行：grant create, usage on schema {schema} to 该账号；什么都没有改变',
    'The database role may not change {table}; let its owner run: grant create, usage on schema {schema} to that role. Nothing was changed',
  ],
  'made.badDefault': [
    '默认值不符合列 {column} 的类型；什么都没有改变',
    'The default is no value of the type of the column {column}; nothing was changed',
  ],
})
