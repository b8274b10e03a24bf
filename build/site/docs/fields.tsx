/** @jsxRuntime automatic @jsxImportSource preact */
/** Lists of parameters and fields: a name, a type, limits, values and a description each. */
import type { ComponentChildren } from 'preact';
import {
  choicesOf,
  componentName,
  description,
  limitsInWords,
  membersOf,
  type Parameter,
  type Reference,
  resolved,
  type Schema,
  typeInWords,
} from './description.ts';
import { commas, Inline } from './prose.tsx';

interface FieldProps {
  /** Address within the page; undefined where the search does not lead to the field. */
  anchor: string | undefined;
  name: string;
  type: ComponentChildren;
  notes: readonly string[];
  choices?: readonly string[];
  text?: string | undefined;
}

function Field({ anchor, name, type, notes, choices = [], text }: FieldProps) {
  return (
    <div id={anchor} data-found={anchor === undefined ? undefined : ''}>
      <dt>
        <code>{name}</code> <span class="type">{type}</span>
        {notes.map((note) => (
          <span key={note} class={note === 'required' ? 'note required' : 'note'}>
            {note}
          </span>
        ))}
      </dt>
      <dd>
        {text !== undefined && <Inline text={text} />}
        {choices.length > 0 && (
          <span class="choices">
            One of{' '}
            {commas(choices, (choice) => (
              <code>{choice}</code>
            ))}
          </span>
        )}
      </dd>
    </div>
  );
}

/** The parameters of one place: of the path, the query string or the headers. */
export function Parameters({ of, parameters }: { of: string; parameters: readonly Parameter[] }) {
  return (
    <dl class="fields">
      {parameters.map(({ name, in: place, required, description: text, schema }) => (
        <Field
          key={name}
          anchor={`${of}-${name}`}
          name={name}
          type={schema.items === undefined ? typeInWords(schema) : 'list with commas'}
          notes={[
            ...(required ? ['required'] : []),
            ...(place === 'query' ? [] : [place]),
            ...limitsInWords(schema),
          ]}
          choices={choicesOf(schema)}
          text={text}
        />
      ))}
    </dl>
  );
}

/** A type, with a link to the object that it names. */
function Type({ schema, name }: { schema: Schema; name: string | undefined }) {
  const words = typeInWords(schema);
  if (name === undefined) return <>{words}</>;
  return (
    <>
      {words.startsWith('array') ? 'array of ' : ''}
      <a href={`#${name}`}>{name}</a>
    </>
  );
}

interface FieldsProps {
  /** Prefix of the addresses; undefined for fields without. */
  of?: string | undefined;
  schema: Schema;
  /** Whether the object is sent: then required fields are marked. Of an answer, those that can be missing are. */
  isBody?: boolean;
}

/** The members of an object. Members of members are listed below them, unless they are an object with a section of its own. */
export function Fields({ of, schema, isBody = false }: FieldsProps) {
  const rows = rowsOf(schema, '', isBody);
  return (
    <dl class="fields">
      {rows.map(({ name, part, own, notes }) => (
        <Field
          key={name}
          anchor={of === undefined ? undefined : `${of}-${name}`}
          name={name}
          type={<Type schema={part} name={own} />}
          notes={notes}
          choices={choicesOf(part)}
          text={own !== undefined && part.description === undefined ? undefined : part.description}
        />
      ))}
    </dl>
  );
}

interface Row {
  name: string;
  part: Schema;
  /** The object with a section of its own that the field holds. */
  own: string | undefined;
  notes: string[];
}

/** The objects that have a section: everything that fields refer to. */
const isObject = (name: string | undefined): name is string =>
  name !== undefined && name in description.components.schemas;

function rowsOf(schema: Schema, prefix: string, isBody: boolean): Row[] {
  const members = membersOf(schema);
  const required = members?.required ?? [];
  return Object.entries(members?.properties ?? {}).flatMap(([member, reference]) => {
    const part = resolved<Schema>(reference);
    const name = prefix + member;
    const own = [componentName(reference), componentName(part.items as Reference | undefined)].find(isObject);
    const isRequired = required.includes(member);
    const notes = [
      ...(isBody && isRequired ? ['required'] : !isBody && !isRequired ? ['optional'] : []),
      ...limitsInWords(part),
    ];
    const below = own === undefined && membersOf(part) !== undefined;
    const separator = part.items === undefined ? '.' : '[].';
    return [{ name, part, own, notes }, ...(below ? rowsOf(part, name + separator, isBody) : [])];
  });
}
