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
  'made.depends': [
    '数据库中有其他对象（视图、外键）依赖 {table}，不能删除；什么都没有改变',
    'Other objects of the database (views, foreign keys) depend on {table}; nothing was changed',
  ],
  'made.notOwned': [
    '表 {table} 不是本系统建立的，其列由它的程序或管理员用 SQL 修改',
    'The table {table} is not the product’s own: its program, or SQL, changes its columns',
  ],
  'made.otherSchool': [
    '表 {table} 由另一所学校建立，只有那所学校可以修改它的列',
    'Another school has made the table {table}; it alone changes its columns',
  ],
  'made.noOwner': [
    '数据库账号不是表 {table} 的所有者，不能修改它的列；请由所有者执行 SQL，之后在「表字段」中选用',
    'The database role does not own the table {table}; let its owner run the SQL, and take the column from the list of columns then',
  ],
  'made.prefix': [
    '产品自带的表中，新增列的列名以 {prefix} 开头',
    'In tables of the product the names of added columns begin with {prefix}',
  ],
  'made.othersUse': [
    '另一所学校也在使用 {table} 的「{column}」，不能删除；什么都没有改变',
    'Another school uses “{column}” of {table} too; nothing was changed',
  ],
  'made.notArchivable': [
    '列 {column} 不能归档：它没有字段，或由系统维护',
    'The column {column} cannot be archived: it has no field, or the product needs it',
  ],
  'made.notArchived': ['列 {column} 没有归档', 'The column {column} is not archived'],
  'made.attrTaken': [
    '属性名 {name} 已用于另一个字段，请先改名再恢复列 {column}',
    'Another field is called {name}: rename it before you restore the column {column}',
  ],
  'made.counted': [
    '确认时为 {told} 个，现在是 {found} 个；什么都没有改变，请重新确认',
    'You were told {told}, and it is {found} by now; nothing was changed, look again',
  ],
  'made.countNeeded': [
    '请先预览，并确认将丢失多少',
    'Preview it first, and confirm how much is lost',
  ],
  'made.hasValues': [
    '「{column}」中已有 {n} 个值，不能撤销；可以归档，值会保留',
    '“{column}” holds {n} values already and cannot be undone; archive it, which keeps them',
  ],
  'made.notUndoable': [
    '这一步不能撤销：之后又有改动，或值已删除',
    'This step cannot be undone: something was changed after it, or the values are gone',
  ],
  'made.notMade': [
    '表 {table} 不是在本系统中由表格或新建表建立的，不能整体撤销',
    'The table {table} was not made here of a sheet or by hand, and is not taken back as a whole',
  ],
  'made.related': [
    '{names} 的关系字段指向这张表；请先改这些字段',
    'Relations of {names} name its rows; change those first',
  ],
  'made.importing': ['正在导入数据，请等导入结束', 'An import is running; wait for its end'],
  'made.rowsChanged': [
    '引入之后已有 {n} 行被修改或删除，不能整体撤销',
    '{n} rows were changed or deleted since; it is not taken back as a whole',
  ],
  'made.rowsAdded': [
    '引入之后又增加了 {n} 行，不能整体撤销',
    '{n} rows were added since; it is not taken back as a whole',
  ],
  'made.noType': [
    '不能建立列 {column}：本系统不会建立类型 {type}',
    'The column {column} cannot be made: the product makes no columns of the type {type}',
  ],
  'made.noTable': [
    '没有表 {table}；本系统只在 form 模式中建表',
    'There is no table {table}; the product makes tables in the schema form only',
  ],
  'made.kind.text': ['{name}，最多 {n} 个字', '{name} of at most {n} characters'],
  'made.kind.decimal': ['{name}，{n} 位小数', '{name} with {n} decimals'],
  'made.kind.choices': ['{name}：{values}', '{name}: {values}'],
  'made.kind.dictionary': ['{name} {code}', '{name} {code}'],
  'made.kind.relation': ['{name}，指向「{to}」', '{name} to “{to}”'],
  'made.willAdd': [
    '在表 {table} 中增加列 {column}，字段「{label}」（{kind}）',
    'Adds the column {column} to the table {table}, with the field “{label}” ({kind})',
  ],
  'made.willMake': [
    '建立空表 {table}，实体「{name}」（{tag}），{n} 个字段，并加入菜单',
    'Makes the empty table {table} and the entity “{name}” ({tag}) with {n} fields and a menu entry',
  ],
  'made.willBeEmpty': [
    '现有 {n} 行的「{label}」为空',
    '“{label}” is empty in the {n} rows there are',
  ],
  'made.willBeDefault': [
    '现有 {n} 行的「{label}」得到默认值 {value}',
    'The {n} rows there are get the default {value} in “{label}”',
  ],
  'made.willRequire': [
    '表单和导入要求填写「{label}」；现有的行下次修改时才需要填写',
    'Forms and imports ask for “{label}”; rows there are need it at their next change',
  ],
  'made.willBeUnique': [
    '同一学校中没有两行的「{label}」相同',
    'No two rows of the school have the same “{label}”',
  ],
  'made.onlyHere': [
    '表 {table} 由各学校共用：只有本校「{name}」的列表、表单和导出会变，其他学校的不变',
    'All schools share the table {table}: lists, forms and exports of “{name}” change in your school only',
  ],
  'made.willLock': [
    '最多等待 {n} 秒轮到表 {table}；轮不到就放弃，什么都不改变',
    'Waits at most {n} seconds for the table {table}; otherwise nothing is changed',
  ],
  'made.willArchive': [
    '归档「{label}」（列 {column}）：从列表、表单、导出和导入中去掉，{n} 个值保留，可以恢复',
    'Archives “{label}” (column {column}): it leaves lists, forms, exports and imports; its {n} values are kept and can be restored',
  ],
  'made.willRestore': [
    '恢复「{label}」（列 {column}）：字段回到原处，{n} 个值重新显示',
    'Restores “{label}” (column {column}): the field returns, and its {n} values are shown again',
  ],
  'made.willDrop': [
    '从表 {table} 中彻底删除列 {column}，{n} 个值丢失，不能恢复',
    'Drops the column {column} of the table {table} for good: {n} values are lost',
  ],
  'made.willUndo': [
    '撤销：从表 {table} 中删除列 {columns}，其中还没有值',
    'Takes it back: drops {columns} of the table {table}, which hold no values',
  ],
  'made.willTakeBack': [
    '撤销「{name}」：删除表 {table} 和其中的 {rows} 行，以及有 {fields} 个字段的定义和菜单项',
    'Takes “{name}” back: drops the table {table} with {rows} rows, and its definition of {fields} fields with the menu entry',
  ],
  'made.willCancel': ['等待核对的导入一并取消', 'The import that waits for review is cancelled'],
  'made.dictionariesStay': ['建立过的字典保留', 'Dictionaries that were made with it stay'],
  'made.willSupply': [
    '在表 {table} 中补上 {n} 列：{columns}',
    'Adds {n} columns to the table {table}: {columns}',
  ],
  'made.noteAdd': ['添加字段：{names}', 'Fields added: {names}'],
  'made.noteArchive': ['归档字段：{names}', 'Field archived: {names}'],
  'made.noteRestore': ['恢复字段：{names}', 'Field restored: {names}'],
  'made.noteUndo': ['撤销添加字段：{names}', 'Addition taken back: {names}'],
})
