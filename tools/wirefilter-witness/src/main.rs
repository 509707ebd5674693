//! Evaluates expressions with Cloudflare's engine.
//!
//! Standard input contains one JSON value per line. The first line defines the types of the fields and the contexts:
//! `{"fields": {"http.host": "Bytes", …}, "contexts": [{"http.host": "61ff", "ssl": true, …}, …]}`, with strings as hex.
//! Every other line is an expression as a JSON string. The output has a line for each: the verdicts as a string of `1`
//! and `0`, one per context, or `{"error": …}`.

use serde_json::{json, Value};
use std::io::{self, BufRead, BufWriter, Write};
use std::net::IpAddr;
use std::panic::{catch_unwind, AssertUnwindSafe};
use wirefilter::{ExecutionContext, LhsValue, Scheme, Type};

fn main() -> io::Result<()> {
    // A panic of the engine is reported as an error.
    std::panic::set_hook(Box::new(|_| {}));
    let mut lines = io::stdin().lock().lines();
    let setup: Value = serde_json::from_str(&lines.next().expect("a first line")?)?;
    let scheme = make_scheme(&setup["fields"]);
    let contexts = setup["contexts"].as_array().expect("contexts");
    let contexts: Vec<_> = contexts.iter().map(|fields| make_context(&scheme, &setup["fields"], fields)).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    for line in lines {
        let expression: String = serde_json::from_str(&line?)?;
        let judged = catch_unwind(AssertUnwindSafe(|| judge(&scheme, &contexts, &expression)));
        let answer = judged.unwrap_or_else(|_| json!({ "error": "panic" }));
        writeln!(out, "{answer}")?;
    }
    out.flush()
}

fn judge(scheme: &Scheme, contexts: &[ExecutionContext<'_>], expression: &str) -> Value {
    match scheme.parse(expression) {
        Err(error) => json!({ "error": error.to_string().trim_end() }),
        Ok(ast) => {
            let filter = ast.compile();
            let matches = |context| filter.execute(context).expect("one scheme for all");
            contexts.iter().map(|context| if matches(context) { '1' } else { '0' }).collect::<String>().into()
        }
    }
}

fn make_scheme(types: &Value) -> Scheme {
    let types = types.as_object().expect("fields");
    let fields = types.iter().map(|(name, of)| {
        let of: Type = serde_json::from_value(of.clone()).expect("Bytes, Int, Ip or Bool");
        (name.clone(), of)
    });
    Scheme::try_from_iter(fields).unwrap_or_else(|error| panic!("{error}"))
}

fn make_context<'s>(scheme: &'s Scheme, types: &Value, fields: &Value) -> ExecutionContext<'s> {
    let mut context = ExecutionContext::new(scheme);
    for (name, value) in fields.as_object().expect("fields by name") {
        let value = match types[name].as_str().expect("the type of the field") {
            "Bytes" => LhsValue::Bytes(decode(value.as_str().expect("hex")).leak()),
            "Int" => LhsValue::Int(value.as_i64().and_then(|all| all.try_into().ok()).expect("32 bits")),
            "Ip" => LhsValue::Ip(value.as_str().and_then(|text| text.parse::<IpAddr>().ok()).expect("an address")),
            _ => LhsValue::Bool(value.as_bool().expect("a Boolean")),
        };
        context.set_field_value(name, value).expect("the type of the field");
    }
    context
}

fn decode(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")).collect()
}
