//! Capsules: an application's own data as a value (information model, "capsule types").

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Compares the data of two capsules of one type.
type Order = dyn Fn(&(dyn Any + Send + Sync), &(dyn Any + Send + Sync)) -> Option<Ordering> + Send + Sync;

/// The type of an application's own data. Every call of a constructor creates a new type, whatever its name: keep the
/// type and share it.
///
/// ```
/// use hcl_lr::model::{CapsuleType, Type};
/// let one = CapsuleType::new("image");
/// assert_eq!(one, one.clone());
/// assert_ne!(one, CapsuleType::new("image"));
/// assert_eq!(Type::Capsule(one).to_string(), "image");
/// ```
#[derive(Clone)]
pub struct CapsuleType(Arc<CapsuleParts>);

struct CapsuleParts {
    name: Arc<str>,
    order: Option<Box<Order>>,
}

impl CapsuleType {
    /// Creates a type whose values are equal only if they are the same `Arc`.
    pub fn new(name: &str) -> CapsuleType {
        CapsuleType(Arc::new(CapsuleParts { name: Arc::from(name), order: None }))
    }

    /// Creates a type whose values are compared by the equality of their data. The order only makes sets of many
    /// capsules fast. Data that is not a `T` is compared by address.
    ///
    /// ```
    /// use hcl_lr::model::{CapsuleType, Value};
    /// use std::sync::Arc;
    /// let port = CapsuleType::with_equality::<u16>("port");
    /// let one = Value::capsule(&port, Arc::new(80_u16));
    /// let other = Value::capsule(&port, Arc::new(80_u16));
    /// assert_eq!(one, other);
    /// ```
    pub fn with_equality<T: Any + Ord>(name: &str) -> CapsuleType {
        let order: Box<Order> = Box::new(|a, b| match (a.downcast_ref::<T>(), b.downcast_ref()) {
            (Some(a), Some(b)) => Some(a.cmp(b)),
            (Some(_), None) => Some(Ordering::Less),
            (None, Some(_)) => Some(Ordering::Greater),
            (None, None) => None,
        });
        CapsuleType(Arc::new(CapsuleParts { name: Arc::from(name), order: Some(order) }))
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    fn place(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl PartialEq for CapsuleType {
    fn eq(&self, other: &CapsuleType) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CapsuleType {}

impl PartialOrd for CapsuleType {
    fn partial_cmp(&self, other: &CapsuleType) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CapsuleType {
    fn cmp(&self, other: &CapsuleType) -> Ordering {
        self.name().cmp(other.name()).then(self.place().cmp(&other.place()))
    }
}

impl Hash for CapsuleType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place().hash(state);
    }
}

impl fmt::Debug for CapsuleType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A value of a capsule type.
///
/// ```
/// use hcl_lr::model::{CapsuleType, Value};
/// use std::sync::Arc;
/// let value = Value::capsule(&CapsuleType::new("image"), Arc::new(vec![1_u8]));
/// let capsule = value.as_capsule().unwrap();
/// assert_eq!(capsule.data().downcast_ref::<Vec<u8>>(), Some(&vec![1]));
/// ```
#[derive(Clone)]
pub struct Capsule(Arc<CapsuleData>);

struct CapsuleData {
    ty: CapsuleType,
    data: Arc<dyn Any + Send + Sync>,
}

impl Capsule {
    pub(crate) fn new(ty: CapsuleType, data: Arc<dyn Any + Send + Sync>) -> Capsule {
        Capsule(Arc::new(CapsuleData { ty, data }))
    }

    /// The type.
    pub fn ty(&self) -> &CapsuleType {
        &self.0.ty
    }

    /// Returns the data; find its type with `downcast_ref`.
    pub fn data(&self) -> &(dyn Any + Send + Sync) {
        &*self.0.data
    }

    fn place(&self) -> usize {
        Arc::as_ptr(&self.0.data).cast::<()>() as usize
    }
}

impl PartialEq for Capsule {
    fn eq(&self, other: &Capsule) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Capsule {}

impl PartialOrd for Capsule {
    fn partial_cmp(&self, other: &Capsule) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Orders by type, then by the order of the data, or else by the address of the data.
impl Ord for Capsule {
    fn cmp(&self, other: &Capsule) -> Ordering {
        let by_type = self.0.ty.cmp(&other.0.ty);
        if by_type != Ordering::Equal || self.place() == other.place() {
            return by_type;
        }
        let order = self.0.ty.0.order.as_ref();
        order.and_then(|order| order(self.data(), other.data())).unwrap_or_else(|| self.place().cmp(&other.place()))
    }
}

impl Hash for Capsule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Equal data may have different addresses, so only the type can be hashed.
        self.0.ty.hash(state);
    }
}

impl fmt::Debug for Capsule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "capsule({})", self.0.ty.name())
    }
}
