//! The page that compares implementations: charts as SVG, from the data of the scoreboard.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{escaped, start};

/// A bar: its label, its length from 0 to 1, and its value as text.
struct Bar {
    label: String,
    length: f64,
    text: String,
}

/// Makes the page.
///
/// # Errors
/// If the data is not that of a scoreboard.
pub fn page(readme: &str, scoreboard: &str) -> Result<String, String> {
    let data: Value = serde_json::from_str(scoreboard).map_err(|why| format!("scoreboard.json: {why}"))?;
    let rows = data["implementations"].as_array().ok_or("scoreboard.json has no implementations")?;
    // Programs for another language, HCL 1, have a note.
    let rows: Vec<&Value> = rows.iter().filter(|row| row["note"].is_null()).collect();
    let share = |right: &Value, asked: f64| right.as_f64().unwrap_or_default() / asked;
    let right = rows.iter().filter_map(|row| {
        let counts = &row["counts"];
        let asked: f64 =
            ["right", "wrong", "failed", "unanswered"].iter().filter_map(|kind| counts[kind].as_f64()).sum();
        Some(Bar {
            label: name(row)?,
            length: share(&counts["right"], asked),
            text: format!("{} of {asked}", counts["right"]),
        })
    });
    let grade = rows.iter().filter_map(|row| {
        let points = row["grade"]["points"].as_f64()?;
        Some(Bar { label: name(row)?, length: points / 100.0, text: points.to_string() })
    });
    let (right, grade): (Vec<Bar>, Vec<Bar>) = (right.collect(), grade.collect());
    let mut page =
        format!("# Comparison with other implementations\n\n{}\n", start::section(readme, "How it compares")?);
    page += "\n## Right answers\n\nAnswers to the questions of the suite that an implementation supports. [The \
             scoreboard](docs/scoreboard.md) has the figures by chapter.\n\n";
    page += &chart("Right answers of each implementation", &right);
    page += "\n## Grade\n\nThe share of valid and of invalid sources that are judged right, less chance, times the share of right trees \
             and values. 100 is the best.\n\n";
    page += &chart("Grade of each implementation", &grade);
    for (title, about, what) in [
        (
            "Time to read 1 MB",
            "The time to read a file of 1 MB into the structure that an implementation offers.",
            "read",
        ),
        ("Time to evaluate 1 MB", "The time to read and evaluate a file of 1 MB with 17,568 values.", "evaluate"),
    ] {
        let _ = write!(
            page,
            "\n## {title}\n\n{about} The scale is logarithmic; shorter is faster.\n\n{}",
            chart(title, &times(&rows, what))
        );
    }
    let conditions = &data["conditions"];
    let _ = write!(
        page,
        "\nMeasured on {}, {}, {} processors; times on {}.\n",
        text(&conditions["system"]),
        text(&conditions["processor"]),
        conditions["processors"],
        text(&rows.first().ok_or("scoreboard.json is empty")?["speed"]["date"]),
    );
    Ok(page)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn name(row: &Value) -> Option<String> {
    Some(row["about"]["name"].as_str()?.to_owned())
}

/// Returns the times of the implementations that were measured, on a logarithmic scale.
fn times(rows: &[&Value], what: &str) -> Vec<Bar> {
    let measured: Vec<(String, f64)> = rows
        .iter()
        .filter_map(|row| {
            let speed = &row["speed"][what];
            Some((name(row)?, speed["seconds"].as_f64()? - speed["asking"].as_f64().unwrap_or_default()))
        })
        .collect();
    let least = measured.iter().map(|(_, seconds)| *seconds).fold(f64::INFINITY, f64::min);
    let most = measured.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max);
    // The shortest bar can still be seen.
    let length = |seconds: f64| 0.04 + 0.96 * (seconds / least).ln() / (most / least).ln().max(f64::MIN_POSITIVE);
    let bars =
        measured.into_iter().map(|(label, seconds)| Bar { label, length: length(seconds), text: duration(seconds) });
    bars.collect()
}

fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.1 => format!("{:.1} ms", seconds * 1000.0),
        seconds if seconds < 1.0 => format!("{:.0} ms", seconds * 1000.0),
        seconds => format!("{seconds:.1} s"),
    }
}

/// Draws a chart in the colours of the page. Screen readers read its title and all values.
fn chart(title: &str, bars: &[Bar]) -> String {
    const ROW: usize = 28;
    const LEFT: f64 = 190.0;
    const WIDTH: f64 = 380.0;
    let values: Vec<String> = bars.iter().map(|bar| format!("{} {}", bar.label, bar.text)).collect();
    let height = bars.len() * ROW + 8;
    let mut svg = format!(
        "<div class=\"chart\"><svg viewBox=\"0 0 700 {height}\" role=\"img\" aria-label=\"{}: {}\">\n",
        escaped(title),
        escaped(&values.join(", "))
    );
    for (index, Bar { label, length, text }) in bars.iter().enumerate() {
        let top = index * ROW + 4;
        let middle = top + 15;
        let width = WIDTH * length;
        let class = if label == "hcl-lr" { "ours" } else { "other" };
        let _ = writeln!(
            svg,
            "<text x=\"{:.0}\" y=\"{middle}\" text-anchor=\"end\">{}</text><rect class=\"{class}\" x=\"{LEFT:.0}\" y=\"{top}\" \
             width=\"{width:.1}\" height=\"20\" rx=\"3\"/><text x=\"{:.1}\" y=\"{middle}\">{}</text>",
            LEFT - 8.0,
            escaped(label),
            LEFT + width + 8.0,
            escaped(text),
        );
    }
    svg + "</svg></div>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_times_have_longer_bars() {
        let row = |name: &str, seconds: f64| serde_json::json!({ "about": { "name": name }, "speed": { "read": { "seconds": seconds, "asking": 0.0 } } });
        let rows =
            [row("a", 0.01), row("b", 10.0), serde_json::json!({ "about": { "name": "c" }, "speed": { "read": {} } })];
        let bars = times(&rows.iter().collect::<Vec<_>>(), "read");
        let shown: Vec<_> =
            bars.iter().map(|bar| (bar.label.as_str(), bar.text.as_str(), (bar.length * 1000.0).round())).collect();
        assert_eq!(shown, [("a", "10.0 ms", 40.0), ("b", "10.0 s", 1000.0)]);
    }

    #[test]
    fn a_chart_says_its_values() {
        let svg = chart("T", &[Bar { label: "a<b".to_owned(), length: 0.5, text: "1 of 2".to_owned() }]);
        assert!(svg.contains("role=\"img\" aria-label=\"T: a&lt;b 1 of 2\""), "{svg}");
        assert!(svg.contains("width=\"190.0\""), "{svg}");
    }
}
